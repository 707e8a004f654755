/** Questions to the engine whose answers have passed a schema. */
import type { z } from 'zod';
import { cleanText } from '../../runtime/text.ts';
import type { DockerAnswer, DockerApi, DockerQuery } from './docker-api.ts';
import { failed, fromHttpFailure, fromStatus, type Read } from './read-failure.ts';

export interface EngineQuestions {
  readonly origin: string;
  /** `prefix` is the negotiated version, empty before there is one. Never rejects. */
  json<T>(prefix: string, path: string, query: DockerQuery, schema: z.ZodType<T>): Promise<Read<T>>;
  text(prefix: string, path: string, query: DockerQuery): Promise<Read<string>>;
  bytes(prefix: string, path: string, query: DockerQuery): Promise<Read<Buffer>>;
  pause(ms: number): Promise<void>;
}

export const createEngineQuestions = (api: DockerApi, signal: AbortSignal): EngineQuestions => {
  const answer = async (prefix: string, path: string, query: DockerQuery): Promise<Read<DockerAnswer>> => {
    const result = await api.get(`${prefix}${path}`, query, signal);
    if (!result.ok) return fromHttpFailure(result.failure);
    const { status, text: said } = result.value;
    return status === 200 ? result : fromStatus(api.origin, shown(path), status, said);
  };
  const text = async (prefix: string, path: string, query: DockerQuery): Promise<Read<string>> => {
    const read = await answer(prefix, path, query);
    return read.ok ? { ok: true, value: read.value.text } : read;
  };
  return {
    origin: api.origin,
    text,
    bytes: async (prefix, path, query) => {
      const read = await answer(prefix, path, query);
      return read.ok ? { ok: true, value: read.value.body } : read;
    },
    json: async (prefix, path, query, schema) => {
      const body = await text(prefix, path, query);
      return body.ok ? parseBody(api.origin, shown(path), body.value, schema) : body;
    },
    pause: (ms) => api.pause(ms, signal),
  };
};

/** Ids are 64 hex digits; nobody needs more of them than the engine's own tools show. */
const shown = (path: string): string => path.replace(/[0-9a-f]{64}/, (id) => id.slice(0, 12));

const parseBody = <T>(origin: string, what: string, body: string, schema: z.ZodType<T>): Read<T> => {
  let value: unknown;
  try {
    value = JSON.parse(body);
  } catch {
    return failed('malformed', `${origin} answered ${what} with what is not JSON: is this a container engine?`);
  }
  const checked = schema.safeParse(value);
  if (checked.success) return { ok: true, value: checked.data };
  return failed(
    'malformed',
    `${origin} answered ${what} with another shape than is known: ${describeIssue(checked.error)}`,
  );
};

/** The first thing that does not fit, with its place. */
export const describeIssue = (error: z.ZodError): string => {
  const [issue] = error.issues;
  if (issue === undefined) return 'unknown';
  return cleanText(`${issue.path.join('.') || 'the whole'}: ${issue.message}`, 120);
};
