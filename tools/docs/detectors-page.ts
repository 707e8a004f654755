/** docs/detectors.md: what is looked for, from the detectors themselves. */
import type { AnyDetector } from '../../signals/detector.ts';
import { detectors } from '../../signals/detectors/index.ts';
import type { LimitSpec } from '../../signals/limits.ts';
import { code, page, sentence, table } from './markdown.ts';
import { writtenDuration } from './zod-fields.ts';

const INTRODUCTION = `Each detector judges the readings of one resource, and answers *raised*, *clear* or *unobserved* with the reason. Only
*clear* resolves a finding. Every limit can be set in \`alerts:\` (docs/config.md), for all resources of a kind or for some.`;

const figures = ({ direction, unit, warning, critical, clearBy }: LimitSpec): readonly string[] => {
  if (direction === 'state') return ['a fault, no figure', '', '', ''];
  const figure = (value: number | null): string => (value === null ? '' : `${direction} ${value}`);
  return [unit, figure(warning), figure(critical), clearBy === 0 ? '' : `by ${clearBy}`];
};

const limitsTable = (limits: readonly LimitSpec[]): string =>
  table(
    ['limit', 'of', 'unit', 'warning', 'critical', 'clears', 'for', 'why'],
    limits.map((spec) => [
      code(spec.metric),
      spec.kinds.join(', '),
      ...figures(spec),
      spec.forMs === 0 ? '' : writtenDuration(spec.forMs),
      sentence(spec.because),
    ]),
  );

const section = ({ type, title, category, kinds, reads, limits, explain }: AnyDetector): string => {
  const specs: readonly LimitSpec[] = Object.values(limits);
  return [
    `## ${type}`,
    `*${title}.* Category ${category}. Looks at ${kinds.join(', ')}; reads ${reads.map(code).join(', ')}.`,
    sentence(explain),
    ...(specs.length === 0 ? [] : [limitsTable(specs)]),
  ].join('\n\n');
};

export const detectorsPage = (): string =>
  page(
    'Detectors',
    'signals/detectors/',
    INTRODUCTION,
    table(
      ['type', 'what it says', 'category'],
      detectors.map(({ type, title, category }) => [`[${code(type)}](#${type})`, title, category]),
    ),
    ...detectors.map(section),
  );
