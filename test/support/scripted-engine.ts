/** A container engine on a unix socket that says what a test wants it to: well by default, or wrong in any way. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { startScriptedServer } from './scripted-server.ts';
import { temporaryDirectory } from './temporary-directory.ts';

/** A value is answered as JSON with 200. */
export type Scripted = unknown | ((request: IncomingMessage, response: ServerResponse) => void);

export interface ScriptedEngine {
  readonly socketPath: string;
  /** Paths as they were asked, with version and query. */
  readonly asked: readonly string[];
  /** From now on `path` (without version and query) is answered so. */
  script(path: string, answer: Scripted): void;
}

export const ENGINE_NOW = '2026-03-01T12:00:00.000000001Z';

export const versionAnswer = {
  Version: '27.5.1',
  ApiVersion: '1.47',
  MinAPIVersion: '1.24',
  Components: [{ Name: 'Engine' }],
};
export const podmanVersionAnswer = {
  Version: '5.4.0',
  ApiVersion: '1.41',
  MinAPIVersion: '1.24',
  Components: [{ Name: 'Podman Engine' }],
};
export const infoAnswer = {
  ID: 'engine-1',
  Name: 'nas',
  NCPU: 4,
  MemTotal: 8 * 2 ** 30,
  OSType: 'linux',
  OperatingSystem: 'Debian GNU/Linux 12 (bookworm)',
  KernelVersion: '6.1.0',
  CgroupVersion: '2',
};

export const containerId = (number: number): string => number.toString(16).padStart(64, '0');

type Part = Readonly<Record<string, unknown>>;

export const listedAnswer = (number: number, name: string, more: Part = {}): Part => ({
  Id: containerId(number),
  Names: [`/${name}`],
  Image: 'nginx:1.27',
  State: 'running',
  Status: 'Up 2 hours',
  Created: 1_772_000_000,
  Labels: {},
  ...more,
});

export const inspectedAnswer = (number: number, state: Part = {}, host: Part = {}, more: Part = {}): Part => ({
  Id: containerId(number),
  Created: '2026-02-25T06:13:20Z',
  RestartCount: 0,
  State: {
    Status: 'running',
    OOMKilled: false,
    ExitCode: 0,
    Error: '',
    StartedAt: '2026-03-01T10:00:00Z',
    FinishedAt: '0001-01-01T00:00:00Z',
    ...state,
  },
  HostConfig: { RestartPolicy: { Name: 'unless-stopped', MaximumRetryCount: 0 }, Memory: 0, NanoCpus: 0, ...host },
  Config: {},
  ...more,
});

export const statsAnswer = (read: string, usedMs: number, memory: Part = {}): Part => ({
  read,
  cpu_stats: { cpu_usage: { total_usage: usedMs * 1e6 } },
  memory_stats: { usage: 100 * 2 ** 20, limit: 8 * 2 ** 30, stats: { inactive_file: 30 * 2 ** 20 }, ...memory },
});

export const eventAnswer = (number: number, action: string, at: string, attributes: Part = {}): Part => ({
  Type: 'container',
  Action: action,
  Actor: { ID: containerId(number), Attributes: { name: 'x', ...attributes } },
  time: Math.floor(Date.parse(at) / 1_000),
  timeNano: Date.parse(at) * 1e6,
});

export const lines = (events: readonly unknown[]): string =>
  events.map((event) => `${JSON.stringify(event)}\n`).join('');

/** Answers a text as it is. */
export const plain =
  (text: string, status = 200, type = 'application/json') =>
  (_request: IncomingMessage, response: ServerResponse): void => {
    response.writeHead(status, { 'content-type': type }).end(text);
  };

export const status = (code: number, message: string) => plain(JSON.stringify({ message }), code);

/** Containers `{ 1: 'web' }` that all run well. Ends with the test. */
export const startScriptedEngine = async (
  containers: Readonly<Record<number, string>> = { 1: 'web', 2: 'db' },
): Promise<ScriptedEngine> => {
  const socketPath = join(temporaryDirectory(), 'engine.sock');
  const asked: string[] = [];
  const answers = new Map<string, Scripted>([
    ['/version', versionAnswer],
    ['/info', infoAnswer],
    ['/containers/json', Object.entries(containers).map(([number, name]) => listedAnswer(Number(number), name))],
    ['/events', plain('')],
  ]);
  for (const number of Object.keys(containers).map(Number)) {
    answers.set(`/containers/${containerId(number)}/json`, inspectedAnswer(number));
    answers.set(`/containers/${containerId(number)}/stats`, statsAnswer(ENGINE_NOW, 1_000));
  }
  const server = await startScriptedServer(
    (request, response) => {
      const url = request.url ?? '';
      asked.push(url);
      const answer = answers.get(url.replace(/^\/v\d+\.\d+(?=\/)/, '').replace(/\?.*$/, ''));
      if (typeof answer === 'function') answer(request, response);
      else if (answer === undefined) status(404, 'page not found')(request, response);
      else plain(JSON.stringify(answer))(request, response);
    },
    { socketPath },
  );
  onTestFinished(() => server.close());
  return { socketPath, asked, script: (path, answer) => void answers.set(path, answer) };
};
