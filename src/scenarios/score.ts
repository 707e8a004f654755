/** A played scenario in figures. */
import { keyType } from '../../findings/identity.ts';
import type { LoadedScenario } from './load-scenarios.ts';
import type { Played } from './play.ts';

export interface Score {
  readonly name: string;
  readonly title: string;
  /** Problems that the story plants: each (resource, key) that some step expects, once. */
  readonly planted: number;
  /** Those that every step which expects them found, as severe as expected. */
  readonly found: number;
  /** Findings that nobody planted, or that should have been over. */
  readonly false: number;
  /** Changes in the ten runs after the last step, in which nothing happened. */
  readonly duplicated: number;
  readonly complaints: readonly string[];
  readonly detectors: readonly { readonly detector: string; readonly planted: number; readonly found: number }[];
}

/** `<resource id> <key>` of an expectation. */
const problemOf = (expected: string): string =>
  expected
    .split(' ')
    .slice(1)
    .join(' ')
    .replace(/ \[.*$/, '');
const detectorOf = (problem: string): string => keyType(problem.split(' ').slice(1).join(' '));

export const scoreOf = ({ name, scenario }: LoadedScenario, { steps, moved }: Played): Score => {
  const planted = new Set(steps.flatMap(({ expected }) => expected.map(problemOf)));
  const missed = new Set(steps.flatMap((step) => step.missed.map(problemOf)));
  const found = [...planted].filter((problem) => !missed.has(problem));
  const complaints = steps.flatMap((step, index) => [
    ...step.missed.map((one) => `step ${index + 1} missed: ${one}`),
    ...step.extra.map((one) => `step ${index + 1} found besides: ${one}`),
    ...step.wrong.map((one) => `step ${index + 1}: ${one}`),
  ]);
  const byDetector = Map.groupBy(planted, detectorOf);
  return {
    name,
    title: scenario.title,
    planted: planted.size,
    found: found.length,
    false: steps.reduce((count, { extra }) => count + extra.length, 0),
    duplicated: moved.length,
    complaints: [...complaints, ...moved],
    detectors: [...byDetector].map(([detector, problems]) => ({
      detector,
      planted: problems.length,
      found: problems.filter((problem) => !missed.has(problem)).length,
    })),
  };
};
