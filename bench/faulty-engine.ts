/** A container engine whose containers fail and recover at every look, for runs that always have something to file. */

import { once } from 'node:events';
import { createServer, type Server } from 'node:http';

export interface FaultyEngine {
  readonly socket: string;
  /** Which containers can't start from now on. */
  setFaulty(isFaulty: (index: number) => boolean): void;
  close(): Promise<void>;
}

const CREATED = '2026-01-01T00:00:00Z';
const NEVER = '0001-01-01T00:00:00Z';

const STATS = {
  read: CREATED,
  cpu_stats: { cpu_usage: { total_usage: 1e9 }, system_cpu_usage: 1e12, online_cpus: 2 },
  memory_stats: { usage: 5e7, limit: 8e9, stats: { inactive_file: 1e7 } },
};

const idOf = (index: number): string => index.toString(16).padStart(64, '0');

const inspect = (index: number, faulty: boolean): unknown => ({
  Id: idOf(index),
  Name: `/service-${index}`,
  Created: CREATED,
  RestartCount: 0,
  State: {
    Status: faulty ? 'created' : 'running',
    Running: !faulty,
    Paused: false,
    Restarting: false,
    OOMKilled: false,
    Dead: false,
    ExitCode: faulty ? 127 : 0,
    Error: faulty ? 'exec: "serve": executable file not found in $PATH' : '',
    StartedAt: faulty ? NEVER : CREATED,
    FinishedAt: NEVER,
  },
  HostConfig: { RestartPolicy: { Name: 'no', MaximumRetryCount: 0 }, Memory: 0, NanoCpus: 0 },
  Config: { Image: 'service:1', Labels: {} },
});

export const startFaultyEngine = async (socket: string, containers: number): Promise<FaultyEngine> => {
  let isFaulty: (index: number) => boolean = () => false;
  const answer = (path: string): unknown => {
    if (path.endsWith('/version'))
      return { ApiVersion: '1.43', MinAPIVersion: '1.24', Version: '24.0.7', Os: 'linux', Arch: 'amd64' };
    if (path.endsWith('/info'))
      return {
        ID: 'chaos',
        Name: 'chaos',
        NCPU: 2,
        MemTotal: 8e9,
        OperatingSystem: 'Debian',
        CgroupVersion: '2',
        SystemTime: new Date().toISOString(),
      };
    if (path.endsWith('/containers/json')) {
      return Array.from({ length: containers }, (_, index) => ({
        Id: idOf(index),
        Names: [`/service-${index}`],
        Image: 'service:1',
        Created: 1_767_225_600,
        State: isFaulty(index) ? 'created' : 'running',
        Status: '',
        Labels: {},
      }));
    }
    if (path.endsWith('/stats')) return STATS;
    const [, id] = /\/containers\/([0-9a-f]{64})\/json$/.exec(path) ?? [];
    const index = Number.parseInt(id ?? '', 16);
    return id === undefined ? null : inspect(index, isFaulty(index));
  };
  const server: Server = createServer((request, response) => {
    const [path = ''] = (request.url ?? '').split('?');
    if (path.endsWith('/events')) return response.end('');
    const body = answer(path);
    response.writeHead(body === null ? 404 : 200, { 'Content-Type': 'application/json' });
    return response.end(JSON.stringify(body ?? { message: 'no such thing' }));
  });
  server.listen(socket);
  await once(server, 'listening');
  return {
    socket,
    setFaulty: (next) => {
      isFaulty = next;
    },
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
};
