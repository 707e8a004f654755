/** Asks the model about exactly those signals that no finding stands for. */
import type { Signal } from '../../../signals/detector.ts';
import type { LoopEnd } from '../../agent/loop-end.ts';
import { filingTools, lookingTools } from '../../tools/index.ts';
import { dataLine, fenced } from '../../tools/showing/fence.ts';
import { shownText } from '../../tools/showing/shown-text.ts';
import { createDeclineTool } from './decline-tool.ts';
import type { ModelSession } from './model-session.ts';
import { EVALUATION_TEXT } from './system-text.ts';
import { EVALUATION_SIGNALS, EVALUATION_TURNS } from './turn-budgets.ts';

const OFFERED: ReadonlySet<string> = new Set([
  'inspect_resource',
  'read_metrics',
  'read_history',
  'patrol_report_finding',
]);

const SUMMARY_LENGTH = 300;
const EVIDENCE_SHOWN = 4;

const lineOf = (label: string, { resourceId, key, severity, category, title, summary, evidence }: Signal): string =>
  dataLine({
    signal: label,
    resource: resourceId,
    key,
    severity,
    category,
    title,
    summary: shownText(summary, SUMMARY_LENGTH),
    evidence: evidence.slice(0, EVIDENCE_SHOWN),
  });

export interface Weighed {
  readonly end: LoopEnd;
  readonly asked: number;
  /** Why the model declined, by signal. */
  readonly declines: ReadonlyMap<Signal, string>;
}

export const weighSignals = async (session: ModelSession, unmatched: readonly Signal[]): Promise<Weighed> => {
  const declines = new Map<Signal, string>();
  const asked = new Map(unmatched.slice(0, EVALUATION_SIGNALS).map((signal, index) => [`s${index + 1}`, signal]));
  const decline = createDeclineTool(asked, (signal, reason) => declines.set(signal, reason));
  const end = await session.ask({
    name: 'evaluation',
    system: EVALUATION_TEXT,
    seed: `Signals without a finding:\n${fenced([...asked].map(([label, signal]) => lineOf(label, signal)))}`,
    tools: [...[...lookingTools, ...filingTools].filter(({ name }) => OFFERED.has(name)), decline],
    maxTurns: EVALUATION_TURNS,
  });
  return { end, asked: asked.size, declines };
};
