/** Answers as they stand after Prometheus was asked, written by hand. */
import type { Labels, SeriesAnswer } from '../../src/sources/prometheus/answer.ts';
import { type AnswerCollector, createAnswers } from '../../src/sources/prometheus/answers.ts';

export const seriesOf = (labels: Labels, value: number, atMs = 0): SeriesAnswer => ({
  labels,
  points: [{ atMs, value }],
});

export const answersOf = (series: Readonly<Record<string, readonly SeriesAnswer[]>>): AnswerCollector => {
  const answers = createAnswers();
  for (const [name, items] of Object.entries(series)) answers.put(name, { series: items, incomplete: null });
  return answers;
};
