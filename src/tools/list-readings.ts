/** Readings of some kinds over all resources, most telling first, and after them what of these kinds was not observed. */
import type { Reading, ReadingKind } from '../../signals/reading.ts';
import type { ResourceId } from '../../signals/resource.ts';
import { answerList, type Row } from './listing.ts';
import type { LookingContext } from './looking-context.ts';
import { resolveResource } from './named-resource.ts';
import { showReading } from './showing/show-reading.ts';
import type { ToolOutcome } from './tool.ts';
import { type Unseen, unseenOf } from './unseen.ts';

export interface ReadingsQuestion {
  readonly tool: string;
  readonly asked: { readonly under?: string | undefined; readonly cursor?: string | undefined };
  readonly kinds: readonly ReadingKind[];
  /** The larger, the earlier it is shown; a figure or a rank. */
  weigh(reading: Reading): number;
  readonly about: string;
}

const compareText = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

export const listReadings = (context: LookingContext, question: ReadingsQuestion): ToolOutcome => {
  const { resources, ledger } = context;
  const { asked, kinds, about } = question;
  const under = asked.under === undefined ? null : resolveResource(resources, asked.under);
  if (under !== null && !under.ok) return under.failure;
  const isAsked = (id: ResourceId): boolean => under === null || resources.isWithin(id, under.resource.id);
  const wanted = new Set<string>(kinds);
  const own = resources.all.filter(({ id }) => isAsked(id));
  const readings = own
    .flatMap(({ id }) => ledger.world.readingsOf(id).filter(({ kind }) => wanted.has(kind)))
    .map((reading) => ({ reading, weight: question.weigh(reading) }))
    .toSorted((a, b) => b.weight - a.weight || compareText(a.reading.resourceId, b.reading.resourceId));
  const unseen = own.flatMap((resource) => unseenOf(ledger, resource, wanted));
  return answerList(context, {
    tool: question.tool,
    asked,
    summary: summaryOf(about, readings.length, unseen.length),
    columns: ['resource', 'evidence', 'kind', 'facts'],
    rows: [
      ...readings.map(
        ({ reading }) =>
          () =>
            readingRow(context, reading),
      ),
      ...unseen.map((one) => () => unseenRow(context, one)),
    ],
  });
};

const summaryOf = (about: string, seen: number, unseen: number): string =>
  `${about}: ${seen} readings, ${unseen === 0 ? 'none missing' : `${unseen} not observed (listed last)`}.`;

export const readingRow = ({ resources, nowMs }: LookingContext, reading: Reading): Row => ({
  named: [resources.shown(reading.resourceId), reading.id],
  told: [reading.kind, showReading(reading, nowMs)],
  evidence: [reading.id],
  touched: [reading.resourceId],
});

export const unseenRow = ({ resources }: LookingContext, { resource, kind, code, reason }: Unseen): Row => ({
  named: [resources.shown(resource.id), null],
  told: [kind, { notObserved: code, reason }],
});
