/** The answers of one survey by the names of their questions. */
import type { Answer, Labels, SeriesAnswer } from './answer.ts';

/** `absent`: its metrics do not exist there. `not_asked`: not due, or nothing called for it. */
export type AnswerState = 'whole' | 'incomplete' | 'failed' | 'absent' | 'not_asked';

export interface Answers {
  /** Empty where there is no answer; `state` tells why. */
  series(name: string): readonly SeriesAnswer[];
  state(name: string): AnswerState;
}

export interface AnswerCollector extends Answers {
  put(name: string, answer: Answer): void;
  mark(name: string, state: 'failed' | 'absent' | 'not_asked'): void;
}

export const createAnswers = (): AnswerCollector => {
  const answers = new Map<string, Answer>();
  const states = new Map<string, AnswerState>();
  return {
    series: (name) => answers.get(name)?.series ?? [],
    state: (name) => states.get(name) ?? 'not_asked',
    put: (name, answer) => {
      answers.set(name, answer);
      states.set(name, answer.incomplete === null ? 'whole' : 'incomplete');
    },
    mark: (name, state) => {
      states.set(name, state);
    },
  };
};

/** The newest value of a series. */
export const lastValue = ({ points }: SeriesAnswer): number => points[points.length - 1]?.value ?? Number.NaN;

/** A label's value; empty where it is absent, as Prometheus has it. */
export const label = (labels: Labels, name: string): string => labels[name] ?? '';
