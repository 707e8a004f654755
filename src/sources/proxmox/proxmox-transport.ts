/** How answers of a Proxmox API are got: over HTTPS from one of several endpoints, or from a recording. */
import type { HttpResult } from '../../runtime/http-failure.ts';

export type ProxmoxParams = Readonly<Record<string, string | number | undefined>>;

export interface ProxmoxRequest {
  /** Nothing but GET is ever sent by a source; a login is the transport's own affair. */
  readonly method: 'GET';
  /** Below `/api2/json`, with a leading slash, each part encoded: `/nodes/pve1/status`. */
  readonly path: string;
  readonly params: ProxmoxParams;
  /** It reads from many files before it can answer: slow disks take their time. */
  readonly isSlow?: boolean;
}

export interface ProxmoxAnswer {
  readonly status: number;
  /** Words beside the status; Proxmox VE 7 gives its reason there alone. Untrusted text. */
  readonly reasonPhrase: string;
  readonly body: string;
}

export interface ProxmoxTransport {
  /** The endpoint that answers at present, for people. */
  origin(): string;
  /** Any status is an answer. Never rejects. */
  request(request: ProxmoxRequest, signal: AbortSignal): Promise<HttpResult<ProxmoxAnswer>>;
  close(): void;
}
