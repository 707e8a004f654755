/** Metrics of what clients ask over HTTP. */
import { Counter, Histogram, type Metrics, secondsOf } from '../runtime/metrics.ts';

export interface AnsweredRequest {
  readonly method: string;
  /** The path as it was declared, with its parameters unnamed values: `/api/findings/:id`; null: there is none. */
  readonly route: string | null;
  readonly status: number;
  readonly durationMs: number;
}

export type CountRequest = (request: AnsweredRequest) => void;

/** Others are counted together: a client can make up as many as it likes. */
const METHODS = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']);
const BUCKETS_SECONDS = [0.001, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1, 5];

export const createRequestMetrics = ({ registry }: Metrics): CountRequest => {
  const requests = new Counter({
    name: 'patrold_http_requests_total',
    help: 'Requests that were answered, by declared path and status',
    labelNames: ['method', 'route', 'status'],
    registers: [registry],
  });
  const duration = new Histogram({
    name: 'patrold_http_request_duration_seconds',
    help: 'How long answers took, by declared path',
    labelNames: ['route'],
    buckets: BUCKETS_SECONDS,
    registers: [registry],
  });
  return ({ method, route, status, durationMs }) => {
    const labels = { method: METHODS.has(method) ? method : 'other', route: route ?? 'none', status: String(status) };
    requests.inc(labels);
    duration.observe({ route: labels.route }, secondsOf(durationMs));
  };
};
