/** The engine's HTTP API as this source needs it; real over a socket or TLS, recorded in scenarios. */
import type { HttpResult } from '../../runtime/http-failure.ts';

export interface DockerAnswer {
  readonly status: number;
  readonly text: string;
  /** The same, as it came: logs are frames of bytes. */
  readonly body: Buffer;
}

export type DockerQuery = Readonly<Record<string, string>>;

export interface DockerApi {
  /** Where it listens, for people. */
  readonly origin: string;
  /** One GET, `path` with its version prefix. Never rejects; a status other than 200 is an answer too. */
  get(path: string, query: DockerQuery, signal: AbortSignal): Promise<HttpResult<DockerAnswer>>;
  /** Lets time pass at the engine, so that a counter can move. Rejects when the signal aborts. */
  pause(ms: number, signal: AbortSignal): Promise<void>;
  close(): void;
}
