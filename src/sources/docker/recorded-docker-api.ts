/** An engine played from recorded answers. Strict: a question that was not recorded is an error, not an empty answer. */
import { httpFailure } from '../../runtime/http-failure.ts';
import type { DockerAnswer, DockerApi, DockerQuery } from './docker-api.ts';
import { moveTimes } from './move-times.ts';
import type { RecordedAnswer, RecordedAnswers } from './recorded-answer.ts';

export interface RecordedDockerApiOptions {
  readonly answers: RecordedAnswers;
  /** When the answers were recorded, by the engine's clock. */
  readonly recordedAtMs: number;
  /** The clock of the replay: recorded times move on with it. */
  readonly nowMs: () => number;
}

/** Follow the clock, and are played by what they select rather than by their text. */
const CLOCKED: ReadonlySet<string> = new Set(['since', 'until', 'filters']);

const keyOf = (path: string, query: DockerQuery): string => {
  const rest = Object.entries(query).filter(([name]) => !CLOCKED.has(name));
  return JSON.stringify([path, rest.sort(([a], [b]) => (a < b ? -1 : 1))]);
};

export const createRecordedDockerApi = ({ answers, recordedAtMs, nowMs }: RecordedDockerApiOptions): DockerApi => {
  const known = new Map(answers.map(({ path, query, answers: list }) => [keyOf(path, query), list]));
  const asked = new Map<string, number>();
  return {
    origin: 'recorded',
    get: async (versioned, query) => {
      const path = versioned.replace(/^\/v\d+\.\d+(?=\/)/, '');
      const key = keyOf(path, query);
      const list = known.get(key);
      const times = asked.get(key) ?? 0;
      const answer = list?.[Math.min(times, list.length - 1)];
      if (answer === undefined) throw new Error(`not recorded: GET ${path} ${JSON.stringify(query)}`);
      asked.set(key, times + 1);
      if (answer.failure !== undefined) {
        return { ok: false, failure: httpFailure(answer.failure, `recorded ${answer.failure}`) };
      }
      const text = textOf(answer, path, query, nowMs() - recordedAtMs);
      const value: DockerAnswer = { status: answer.status, text, body: Buffer.from(text) };
      return { ok: true, value };
    },
    // What came after the pause is in the recording already.
    pause: async (_ms, signal) => signal.throwIfAborted(),
    close: () => undefined,
  };
};

const textOf = ({ body, text }: RecordedAnswer, path: string, query: DockerQuery, byMs: number): string => {
  if (text !== undefined) return text;
  const moved = moveTimes(body, byMs);
  if (path !== '/events' || !Array.isArray(moved)) return JSON.stringify(moved);
  return moved
    .filter((event) => isBetween(event, query))
    .map((event) => `${JSON.stringify(event)}\n`)
    .join('');
};

const isBetween = (event: unknown, { since, until }: DockerQuery): boolean => {
  const atMs =
    typeof event === 'object' && event !== null && 'timeNano' in event ? Number(event.timeNano) / 1e6 : Number.NaN;
  if (Number.isNaN(atMs)) return true;
  return atMs >= Number(since ?? 0) * 1_000 && (until === undefined || atMs <= Number(until) * 1_000);
};
