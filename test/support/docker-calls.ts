/** What a test asks of a real engine: containers of one busybox image, run, hurt and repaired. */
import { setTimeout as wait } from 'node:timers/promises';
import type { HttpClient, HttpRequest } from '../../src/runtime/http-client.ts';

/** Made by `startRealDocker`. */
export const TEST_IMAGE = 'patrold-test:1';
const POLL_MS = 50;

export interface RunOptions {
  readonly name: string;
  /** Arguments of the container; `['sh', '-c', …]` for a script. */
  readonly command: readonly string[];
  readonly restart?: 'no' | 'always' | 'unless-stopped' | 'on-failure';
  readonly maxRetries?: number;
  readonly memoryBytes?: number;
  readonly cpus?: number;
  /** A shell command, asked every `intervalMs` (at least 1 ms). */
  readonly health?: { readonly command: string; readonly intervalMs?: number; readonly retries?: number };
  readonly labels?: Readonly<Record<string, string>>;
  readonly autoRemove?: boolean;
  /** False: only created. */
  readonly start?: boolean;
}

/** What of an inspection tests wait for. */
export interface InspectedForTest {
  readonly Id: string;
  readonly RestartCount: number;
  readonly State: {
    readonly Status: string;
    readonly ExitCode: number;
    readonly OOMKilled: boolean;
    readonly Error: string;
    readonly Health?: { readonly Status: string; readonly FailingStreak: number };
  };
}

export interface DockerCalls {
  /** Any call; rejects on a status that is none of `expected` (default: any 2xx, and 304 for "already so"). */
  call(method: 'GET' | 'POST' | 'DELETE', path: string, body?: unknown, expected?: readonly number[]): Promise<unknown>;
  /** Resolves to the id, also where the start itself fails. */
  run(options: RunOptions): Promise<string>;
  start(name: string): Promise<void>;
  stop(name: string, graceSeconds?: number): Promise<void>;
  kill(name: string, signal?: string): Promise<void>;
  restart(name: string, graceSeconds?: number): Promise<void>;
  pause(name: string): Promise<void>;
  unpause(name: string): Promise<void>;
  rename(name: string, to: string): Promise<void>;
  remove(name: string): Promise<void>;
  /** Runs a command inside; resolves when it has ended. */
  exec(name: string, command: readonly string[]): Promise<number>;
  inspect(name: string): Promise<InspectedForTest>;
  /** Polls until it holds; rejects with what it last was. */
  waitFor(name: string, holds: (inspected: InspectedForTest) => boolean, withinMs?: number): Promise<InspectedForTest>;
}

export const checked = async (
  http: HttpClient,
  request: HttpRequest,
  expected?: readonly number[],
): Promise<Buffer> => {
  const result = await http.request(request);
  if (!result.ok) throw new Error(`${request.method ?? 'GET'} ${request.path}: ${result.failure.reason}`);
  const { status, body } = result.value;
  const fine = expected?.includes(status) ?? ((status >= 200 && status < 300) || status === 304);
  if (!fine) throw new Error(`${request.method ?? 'GET'} ${request.path}: ${status} ${body.toString('utf8')}`);
  return body;
};

export const dockerCalls = (http: HttpClient): DockerCalls => {
  const call: DockerCalls['call'] = async (method, path, body, expected) => {
    const headers = body === undefined ? {} : { 'content-type': 'application/json' };
    const sent = body === undefined ? {} : { body: JSON.stringify(body) };
    const answer = await checked(http, { method, path, headers, ...sent }, expected);
    const text = answer.toString('utf8');
    try {
      return JSON.parse(text);
    } catch {
      return text;
    }
  };
  const post = async (path: string, expected?: readonly number[]): Promise<void> => {
    await call('POST', path, undefined, expected);
  };
  const inspect = (name: string): Promise<InspectedForTest> =>
    call('GET', `/containers/${name}/json`) as Promise<InspectedForTest>;
  return {
    call,
    inspect,
    run: async (options) => {
      const created = (await call('POST', `/containers/create?name=${options.name}`, creation(options))) as {
        Id: string;
      };
      // A command that does not exist is 400 or 500 by the engine's age, and what some tests want.
      if (options.start !== false) await post(`/containers/${created.Id}/start`, [204, 304, 400, 404, 500]);
      return created.Id;
    },
    start: (name) => post(`/containers/${name}/start`),
    stop: (name, graceSeconds = 1) => post(`/containers/${name}/stop?t=${graceSeconds}`),
    kill: (name, signal = 'KILL') => post(`/containers/${name}/kill?signal=${signal}`),
    restart: (name, graceSeconds = 1) => post(`/containers/${name}/restart?t=${graceSeconds}`),
    pause: (name) => post(`/containers/${name}/pause`),
    unpause: (name) => post(`/containers/${name}/unpause`),
    rename: (name, to) => post(`/containers/${name}/rename?name=${to}`),
    remove: async (name) => {
      await call('DELETE', `/containers/${name}?force=1&v=1`);
    },
    exec: (name, command) => execInside(call, name, command),
    waitFor: (name, holds, withinMs = 20_000) => waitUntil(() => inspect(name), holds, `container ${name}`, withinMs),
  };
};

const creation = (options: RunOptions): unknown => ({
  Image: TEST_IMAGE,
  Cmd: options.command,
  Labels: options.labels ?? {},
  ...(options.health === undefined
    ? {}
    : {
        Healthcheck: {
          Test: ['CMD-SHELL', options.health.command],
          Interval: (options.health.intervalMs ?? 300) * 1e6,
          Timeout: 5e9,
          Retries: options.health.retries ?? 2,
        },
      }),
  HostConfig: {
    NetworkMode: 'none',
    AutoRemove: options.autoRemove ?? false,
    RestartPolicy: { Name: options.restart ?? 'no', MaximumRetryCount: options.maxRetries ?? 0 },
    ...(options.memoryBytes === undefined ? {} : { Memory: options.memoryBytes, MemorySwap: options.memoryBytes }),
    ...(options.cpus === undefined ? {} : { NanoCpus: options.cpus * 1e9 }),
  },
});

const execInside = async (call: DockerCalls['call'], name: string, command: readonly string[]): Promise<number> => {
  const made = (await call('POST', `/containers/${name}/exec`, { Cmd: command })) as { Id: string };
  await call('POST', `/exec/${made.Id}/start`, { Detach: true });
  const look = (): Promise<{ Running: boolean; ExitCode: number | null }> =>
    call('GET', `/exec/${made.Id}/json`) as Promise<{ Running: boolean; ExitCode: number | null }>;
  const ended = await waitUntil(look, ({ Running }) => !Running, `command in ${name}`, 20_000);
  return ended.ExitCode ?? -1;
};

const waitUntil = async <T>(
  look: () => Promise<T>,
  holds: (seen: T) => boolean,
  what: string,
  withinMs: number,
): Promise<T> => {
  const end = performance.now() + withinMs;
  for (;;) {
    const seen = await look();
    if (holds(seen)) return seen;
    if (performance.now() >= end)
      throw new Error(`${what} did not come to it within ${withinMs} ms: ${JSON.stringify(seen).slice(0, 2_000)}`);
    await wait(POLL_MS);
  }
};
