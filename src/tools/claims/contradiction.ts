/** The refusal of a claim that the data contradicts, with the readings that do. */
import type { Resource } from '../../../signals/resource.ts';
import type { FilingContext } from '../filing-context.ts';
import { showReading } from '../showing/show-reading.ts';
import type { ToolOutcome } from '../tool.ts';
import { fail } from '../tool-failure.ts';

const SHOWN_READINGS = 4;

export const contradicted = (
  { ledger, verdicts, nowMs }: FilingContext,
  resource: Resource,
  types: readonly string[],
): ToolOutcome => {
  const reads = new Set<string>(
    verdicts.detectors.filter(({ type }) => types.includes(type)).flatMap((detector) => detector.reads),
  );
  const evidence = ledger.world
    .readingsOf(resource.id)
    .filter(({ kind }) => reads.has(kind))
    .slice(0, SHOWN_READINGS)
    .map((reading) => ({ id: reading.id, kind: reading.kind, facts: showReading(reading, nowMs) }));
  return fail(
    'claim_contradicted',
    `${types.slice(0, 3).join(', ')} judged this resource on fresh evidence of this run, and it is clear.`,
    { detectors: types, evidence },
  );
};
