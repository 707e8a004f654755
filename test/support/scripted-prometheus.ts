/** A scripted server that speaks Prometheus' HTTP API: well, unless a test says otherwise of a question. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { type ScriptedServer, startScriptedServer } from './scripted-server.ts';

export interface VectorItem {
  readonly metric: Readonly<Record<string, string>>;
  readonly value: readonly [number, string];
}

/** What a test does to one request; false: answer it as usual. */
export type Interference = (
  request: IncomingMessage,
  response: ServerResponse,
  promql: string,
  count: number,
) => boolean;

export interface ScriptedPrometheusOptions {
  /** Epoch milliseconds of the server's clock. */
  readonly nowMs?: () => number;
  /** Instant answers by metric name; a question about several gives all of them. */
  readonly vectors: Readonly<Record<string, readonly (readonly [Readonly<Record<string, string>>, number])[]>>;
  readonly interfere?: Interference;
}

const METRIC = /[a-z_][a-z0-9_]*_(?:info|seconds|bytes|total|success)|\bup\b|node_[a-z0-9_]+/gi;

export const startScriptedPrometheus = ({
  nowMs = Date.now,
  vectors,
  interfere = () => false,
}: ScriptedPrometheusOptions): Promise<ScriptedServer> => {
  let count = 0;
  const vector = (promql: string): readonly VectorItem[] => {
    const names = new Set(promql.match(METRIC) ?? []);
    const at = nowMs() / 1000;
    return Object.entries(vectors).flatMap(([name, items]) =>
      names.has(name)
        ? items.map(
            ([labels, value]): VectorItem => ({
              metric: { __name__: name, ...labels },
              value: [at, String(promql.startsWith('timestamp(') ? at - 5 : value)],
            }),
          )
        : [],
    );
  };
  return startScriptedServer((request, response) => {
    count += 1;
    const url = new URL(request.url ?? '/', 'http://scripted');
    const promql = url.searchParams.get('query') ?? '';
    if (interfere(request, response, promql, count)) return;
    response.setHeader('content-type', 'application/json');
    const succeed = (data: unknown): void => void response.end(JSON.stringify({ status: 'success', data }));
    if (promql === 'time()') return succeed({ resultType: 'scalar', result: [nowMs() / 1000, String(nowMs() / 1000)] });
    if (url.pathname.endsWith('/label/__name__/values')) return succeed(Object.keys(vectors));
    if (url.pathname.endsWith('/targets')) return succeed({ activeTargets: [] });
    if (url.pathname.endsWith('/query_range')) return succeed({ resultType: 'matrix', result: [] });
    succeed({ resultType: 'vector', result: vector(promql) });
  });
};

const NODE = { job: 'node', instance: 'nas1:9100' };

/** The least that makes a healthy host. */
export const healthyVectors = (nowMs: number): ScriptedPrometheusOptions['vectors'] => ({
  up: [[NODE, 1]],
  node_uname_info: [[{ ...NODE, nodename: 'nas1', release: '6.1.0' }, 1]],
  node_boot_time_seconds: [[NODE, Math.floor(nowMs / 1000) - 86_400]],
  node_network_info: [[{ ...NODE, device: 'eth0', address: 'b4:2e:99:01:02:03' }, 1]],
  node_cpu_seconds_total: [
    [{ ...NODE, mode: 'idle' }, 0.9],
    [{ ...NODE, mode: 'user' }, 0.1],
  ],
  node_memory_MemTotal_bytes: [[NODE, 8e9]],
  node_memory_MemAvailable_bytes: [[NODE, 6e9]],
  node_filesystem_size_bytes: [[{ ...NODE, mountpoint: '/', fstype: 'ext4', device: '/dev/sda1' }, 1e11]],
  node_filesystem_free_bytes: [[{ ...NODE, mountpoint: '/', fstype: 'ext4', device: '/dev/sda1' }, 5e10]],
  node_filesystem_avail_bytes: [[{ ...NODE, mountpoint: '/', fstype: 'ext4', device: '/dev/sda1' }, 5e10]],
});
