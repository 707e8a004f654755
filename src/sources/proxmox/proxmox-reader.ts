/** Questions of one survey to a Proxmox API: bounded, counted, and answered by what has passed a schema. */
import pLimit from 'p-limit';
import { z } from 'zod';
import { cleanText } from '../../runtime/text.ts';
import { fromHttpFailure, fromStatus, malformed, type ProxmoxFailure, type ProxmoxRead } from './proxmox-failure.ts';
import { proxmoxLimits } from './proxmox-limits.ts';
import type { ProxmoxParams, ProxmoxRequest, ProxmoxTransport } from './proxmox-transport.ts';

/** A list whose bad items were dropped and counted. */
export interface ProxmoxList<T> {
  readonly items: readonly T[];
  readonly dropped: number;
  /** What was wrong with some of those; empty where none was dropped. */
  readonly droppedBecause: string;
}

export interface ProxmoxReader {
  origin(): string;
  /** Requests sent so far. */
  requests(): number;
  /** `data` of the answer. Never rejects; after an abort every answer is a failure. */
  get<T>(path: string, schema: z.ZodType<T>, params?: ProxmoxParams): Promise<ProxmoxRead<T>>;
  /** As `get`, for lists: an item that does not fit is dropped, the others stay. */
  list<T>(
    path: string,
    item: z.ZodType<T>,
    params?: ProxmoxParams,
    how?: Pick<ProxmoxRequest, 'isSlow'>,
  ): Promise<ProxmoxRead<ProxmoxList<T>>>;
}

const envelope = z.looseObject({ data: z.unknown() });

/** The first thing that does not fit, with its place. */
const describeIssue = (error: z.ZodError): string => {
  const [issue] = error.issues;
  return issue === undefined ? 'unknown' : cleanText(`${issue.path.join('.') || 'the whole'}: ${issue.message}`, 120);
};

const parse = (origin: string, path: string, body: string): ProxmoxRead<unknown> => {
  let value: unknown;
  try {
    value = JSON.parse(body);
  } catch {
    return {
      ok: false,
      failure: malformed(`${origin} answered ${path} with what is not JSON: is this the API of Proxmox?`),
    };
  }
  const checked = envelope.safeParse(value);
  if (checked.success && 'data' in checked.data) return { ok: true, value: checked.data.data };
  return { ok: false, failure: malformed(`${origin} answered ${path} without data: is this the API of Proxmox?`) };
};

const otherShape = (origin: string, path: string, what: string): ProxmoxFailure =>
  malformed(`${origin} answered ${path} in another shape than is known: ${what}`);

export const createProxmoxReader = (transport: ProxmoxTransport, signal: AbortSignal): ProxmoxReader => {
  const inTurn = pLimit(proxmoxLimits.questionsAtOnce);
  let count = 0;
  const data = (
    path: string,
    params: ProxmoxParams,
    how: Pick<ProxmoxRequest, 'isSlow'> = {},
  ): Promise<ProxmoxRead<unknown>> =>
    inTurn(async () => {
      count += 1;
      const answer = await transport.request({ method: 'GET', path, params, ...how }, signal);
      const origin = transport.origin();
      if (!answer.ok) return { ok: false, failure: fromHttpFailure(answer.failure) };
      if (answer.value.status !== 200) return { ok: false, failure: fromStatus(origin, path, answer.value) };
      return parse(origin, path, answer.value.body);
    });
  return {
    origin: () => transport.origin(),
    requests: () => count,
    get: async (path, schema, params = {}) => {
      const read = await data(path, params);
      if (!read.ok) return read;
      const checked = schema.safeParse(read.value);
      if (checked.success) return { ok: true, value: checked.data };
      return { ok: false, failure: otherShape(transport.origin(), path, describeIssue(checked.error)) };
    },
    list: async (path, item, params = {}, how = {}) => {
      const read = await data(path, params, how);
      if (!read.ok) return read;
      if (!Array.isArray(read.value)) {
        return { ok: false, failure: otherShape(transport.origin(), path, 'it is no list') };
      }
      return { ok: true, value: listOf(read.value, item) };
    },
  };
};

const listOf = <T>(values: readonly unknown[], item: z.ZodType<T>): ProxmoxList<T> => {
  const items: T[] = [];
  const reasons: string[] = [];
  let dropped = 0;
  for (const value of values) {
    const checked = item.safeParse(value);
    if (checked.success) {
      items.push(checked.data);
      continue;
    }
    dropped += 1;
    if (reasons.length < proxmoxLimits.malformedNamed) reasons.push(describeIssue(checked.error));
  }
  return { items, dropped, droppedBecause: reasons.join('; ') };
};

/** `apiPath('nodes', 'pve 1', 'status')`: each part encoded, so that no name can lead elsewhere. */
export const apiPath = (...parts: readonly (string | number)[]): string =>
  parts.map((part) => `/${encodeURIComponent(part)}`).join('');
