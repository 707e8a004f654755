/** Asks the model about known findings that it has not looked at, in batches. */
import type { Finding } from '../../../findings/finding.ts';
import { shortId } from '../../runtime/ids.ts';
import { filingTools, lookingTools } from '../../tools/index.ts';
import { dataLine, fenced } from '../../tools/showing/fence.ts';
import { shownInstant, shownText } from '../../tools/showing/shown-text.ts';
import type { ModelSession } from './model-session.ts';
import { SWEEP_TEXT } from './system-text.ts';
import { SWEEP_BATCH, SWEEP_BATCHES, sweepTurns } from './turn-budgets.ts';

const OFFERED: ReadonlySet<string> = new Set([
  'inspect_resource',
  'read_metrics',
  'read_history',
  'patrol_assess_finding',
  'patrol_resolve_finding',
]);

const lineOf = ({ id, resourceId, key, severity, summary, sinceMs }: Finding): string =>
  dataLine({
    finding: shortId(id),
    resource: resourceId,
    key,
    severity,
    since: shownInstant(sinceMs),
    summary: shownText(summary),
  });

/** How many were asked about. `waiting` tells which have no assessment yet. */
export const assessFindings = async (session: ModelSession, waiting: () => readonly Finding[]): Promise<number> => {
  const asked = new Set<string>();
  for (let batch = 1; batch <= SWEEP_BATCHES && session.mayGoOn(); batch += 1) {
    const findings = waiting()
      .filter(({ id }) => !asked.has(id))
      .slice(0, SWEEP_BATCH);
    if (findings.length === 0) break;
    for (const { id } of findings) asked.add(id);
    await session.ask({
      name: `sweep ${batch}`,
      system: SWEEP_TEXT,
      seed: `Findings to assess:\n${fenced(findings.map(lineOf))}`,
      tools: [...lookingTools, ...filingTools].filter(({ name }) => OFFERED.has(name)),
      maxTurns: sweepTurns(findings.length),
    });
  }
  return asked.size;
};
