/** Writes down what a real engine answers, in the form in which scenarios keep it. */
import type { DockerApi } from '../../src/sources/docker/docker-api.ts';
import type { RecordedAnswer, RecordedAnswers } from '../../src/sources/docker/recorded-answer.ts';

export interface DockerRecorder {
  readonly api: DockerApi;
  recorded(): RecordedAnswers;
}

const CLOCKED: ReadonlySet<string> = new Set(['since', 'until', 'filters']);

const bodyOf = (path: string, text: string): Pick<RecordedAnswer, 'body'> | Pick<RecordedAnswer, 'text'> => {
  try {
    const lines = path === '/events' ? text.split('\n').filter((line) => line !== '') : null;
    return { body: lines === null ? JSON.parse(text) : lines.map((line) => JSON.parse(line) as unknown) };
  } catch {
    return { text };
  }
};

export const recordDocker = (api: DockerApi): DockerRecorder => {
  const byQuestion = new Map<string, { path: string; query: Record<string, string>; answers: RecordedAnswer[] }>();
  return {
    api: {
      ...api,
      get: async (versioned, query, signal) => {
        const result = await api.get(versioned, query, signal);
        const path = versioned.replace(/^\/v\d+\.\d+(?=\/)/, '');
        const kept = Object.fromEntries(Object.entries(query).filter(([name]) => !CLOCKED.has(name)));
        const key = JSON.stringify([path, kept]);
        const entry = byQuestion.get(key) ?? { path, query: kept, answers: [] };
        entry.answers.push(
          result.ok
            ? { status: result.value.status, ...bodyOf(path, result.value.text) }
            : { status: 200, failure: result.failure.code },
        );
        byQuestion.set(key, entry);
        return result;
      },
    },
    recorded: () => [...byQuestion.values()],
  };
};
