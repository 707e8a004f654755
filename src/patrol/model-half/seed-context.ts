/** The first thing a model is told of a run: most important first, inside a hard budget of tokens, the quiet counted. Pure. */
import type { Finding } from '../../../findings/finding.ts';
import type { Survey } from '../../../signals/survey.ts';
import { dataLine, fenced } from '../../tools/showing/fence.ts';
import { shownInstant, shownText } from '../../tools/showing/shown-text.ts';
import { censusText, type GuestCensus } from './guest-census.ts';
import type { Triage } from './triage.ts';

/** Bytes of compact JSON to a token, on the careful side (o200k: about 3.3 measured on such lines). */
const BYTES_A_TOKEN = 3;

const REASON_LENGTH = 160;

export interface SeedInput {
  readonly nowMs: number;
  readonly surveys: readonly Survey[];
  readonly triage: Triage;
  readonly census: GuestCensus;
  /** Active, worst first. */
  readonly known: readonly Finding[];
  readonly budgetTokens: number;
  /** As tools take it: the end of the id. */
  readonly shortId: (id: string) => string;
}

export interface Seed {
  readonly text: string;
  readonly shownFlags: number;
  readonly shownFindings: number;
}

const sizeOf = (text: string): number => Math.ceil(Buffer.byteLength(text) / BYTES_A_TOKEN);

const sourceLines = (surveys: readonly Survey[]): readonly string[] =>
  surveys
    .filter(({ outcome }) => outcome !== 'ok')
    .map(({ sourceId, outcome, reason }) =>
      dataLine({ source: sourceId, survey: outcome, reason: shownText(reason ?? '', REASON_LENGTH) }),
    );

const decisionOf = ({ disposition }: Finding): string | undefined =>
  disposition.kind === 'none' ? undefined : disposition.kind;

const findingLine = (finding: Finding, shortId: SeedInput['shortId']): string =>
  dataLine({
    finding: shortId(finding.id),
    severity: finding.severity,
    resource: finding.resourceId,
    key: finding.key,
    title: shownText(finding.title),
    since: shownInstant(finding.sinceMs),
    decided: decisionOf(finding),
    stale: finding.stale === null ? undefined : true,
  });

const flagLines = ({ flags }: Triage): readonly string[] =>
  flags.map(({ resource: { id, kind, status }, reasons }) =>
    dataLine({ resource: id, kind, status, why: reasons.map((reason) => shownText(reason, REASON_LENGTH)) }),
  );

const quietText = ({ quiet }: Triage): string => {
  const parts = [...quiet].toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([kind, count]) => `${count} ${kind}`);
  return parts.length === 0 ? 'none' : parts.join(', ');
};

/** As many lines as fit, in their order. */
const fitting = (
  lines: readonly string[],
  tokens: number,
): { readonly lines: readonly string[]; readonly left: number } => {
  let left = tokens;
  const kept: string[] = [];
  for (const line of lines) {
    const size = sizeOf(line) + 1;
    if (size > left) break;
    left -= size;
    kept.push(line);
  }
  return { lines: kept, left };
};

const moreText = (all: number, shown: number, tool: string): string =>
  shown === all ? '' : ` (${all - shown} more: ${tool})`;

/** Findings may take so much of it; what they leave goes to what is interesting. */
const FINDINGS_SHARE = 0.4;
/** Of headings and counts. */
const FRAME_TOKENS = 300;

export const seedContext = (input: SeedInput): Seed => {
  const { nowMs, surveys, triage, census, known, budgetTokens, shortId } = input;
  const room = Math.max(0, budgetTokens - FRAME_TOKENS);
  const sources = fitting(sourceLines(surveys), room);
  const findings = fitting(
    known.map((finding) => findingLine(finding, shortId)),
    sources.left * FINDINGS_SHARE,
  );
  const flags = fitting(flagLines(triage), sources.left * (1 - FINDINGS_SHARE) + findings.left);
  const [findingCount, flagCount] = [findings.lines.length, flags.lines.length];
  const text = [
    `It is ${shownInstant(nowMs)}. ${surveys.length} sources were read just now.`,
    ...(sources.lines.length === 0 ? [] : ['Sources that could not be read, or only in part:', fenced(sources.lines)]),
    known.length === 0
      ? 'No finding is known.'
      : `Known findings${moreText(known.length, findingCount, 'patrol_get_findings')}:\n${fenced(findings.lines)}`,
    triage.flags.length === 0
      ? 'Nothing stands out.'
      : `Worth a look${moreText(triage.flags.length, flagCount, 'find_resources')}:\n${fenced(flags.lines)}`,
    `Guests: ${censusText(census)}.`,
    `Quiet, by kind: ${quietText(triage)}.`,
  ].join('\n');
  return { text, shownFlags: flagCount, shownFindings: findingCount };
};
