/** Runs the checks that are due and tells what came of them. */
import pLimit from 'p-limit';
import type { Gap, SurveyedReading } from '../../../signals/survey.ts';
import type { Clock } from '../../runtime/clock.ts';
import type { CommandRunner } from '../../runtime/command.ts';
import { PatroldError } from '../../runtime/errors.ts';
import { cleanText } from '../../runtime/text.ts';
import type { Sighting, SourceState, SurveyRequest } from '../source.ts';
import type { Check } from './check.ts';
import { readsOf, toClaim } from './check-claims.ts';
import { createDue } from './due.ts';
import { type CheckOutcome, type Unknown, unknown } from './outcome.ts';
import { probeHttp } from './probe-http.ts';
import { probeIcmp } from './probe-icmp.ts';
import { probeTcp } from './probe-tcp.ts';

const CHECKS_AT_ONCE = 32;

const MAX_REASON_LENGTH = 400;

export interface SurveyChecksDeps {
  readonly checks: readonly Check[];
  readonly clock: Clock;
  readonly commands: CommandRunner;
  readonly state: SourceState;
}

/** What one check came to, and when. */
export interface CheckResult {
  readonly check: Check;
  readonly outcome: CheckOutcome;
  readonly takenAtMs: number;
}

/** Throws `source_not_answering` where nothing can be asked because this machine's own network is down. */
export const surveyChecks = async (deps: SurveyChecksDeps, request: SurveyRequest): Promise<Sighting> => {
  const { checks, clock, state } = deps;
  const due = createDue({ state, paces: request.paces, nowMs: clock.nowMs() });
  const asked = checks.filter((check) => due.isDue(check));
  const results = await runChecks({ ...deps, checks: asked }, request.signal);
  refuseLocalOutage(results);
  due.record(asked);
  const notDue = checks.filter((check) => !asked.includes(check));
  return {
    claims: checks.map(toClaim),
    readings: results.flatMap(readingsOf),
    series: [],
    gaps: [...results.flatMap(gapsOf), ...notDue.map(notDueGap)],
    listed: [{ kind: 'endpoint', parentRef: null }],
  };
};

export const runChecks = async (
  deps: Omit<SurveyChecksDeps, 'state'>,
  signal: AbortSignal,
): Promise<readonly CheckResult[]> => {
  const limit = pLimit(CHECKS_AT_ONCE);
  return Promise.all(
    deps.checks.map((check) =>
      limit(async () => {
        signal.throwIfAborted();
        const outcome = await runCheck(check, deps, signal);
        return { check, outcome, takenAtMs: deps.clock.nowMs() };
      }),
    ),
  );
};

/** A mistake of ours in one check must not stop the others. */
const runCheck = async (
  check: Check,
  { clock, commands }: Pick<SurveyChecksDeps, 'clock' | 'commands'>,
  signal: AbortSignal,
): Promise<CheckOutcome> => {
  try {
    switch (check.kind) {
      case 'http':
        return await probeHttp(check, clock.nowMs(), signal);
      case 'tcp':
        return await probeTcp(check, clock.nowMs(), signal);
      case 'icmp':
        return await probeIcmp(check, commands, signal);
    }
  } catch (error) {
    const failed = unknown(
      'failed',
      `the check could not be run: ${error instanceof Error ? error.message : String(error)}`,
    );
    return { probe: failed, certificate: readsOf(check).includes('certificate') ? failed : null };
  }
};

const isLocal = ({ outcome: { probe } }: CheckResult): boolean => probe.kind === 'unknown' && probe.local;

/** If nothing at all can be reached from here, no endpoint is to blame. */
export const refuseLocalOutage = (results: readonly CheckResult[]): void => {
  const [first] = results;
  if (first === undefined || !results.every(isLocal)) return;
  const { probe } = first.outcome;
  const reason = probe.kind === 'unknown' ? probe.reason : '';
  throw new PatroldError(
    'source_not_answering',
    `the network of this machine is down, no check could be run: ${clean(reason)}`,
  );
};

const clean = (text: string): string => cleanText(text, MAX_REASON_LENGTH);

const readingsOf = ({ check, outcome: { probe, certificate }, takenAtMs }: CheckResult): readonly SurveyedReading[] => {
  const stamp = { ref: check.name, takenAtMs };
  const readings: SurveyedReading[] = [];
  if (probe.kind !== 'unknown') {
    readings.push({
      ...stamp,
      kind: 'probe',
      expected: true,
      check: check.name,
      probe: check.kind,
      answered: probe.kind === 'answered',
      reason: probe.kind === 'answered' ? null : clean(probe.reason),
      latencyMs: probe.kind === 'answered' ? probe.latencyMs : null,
    });
  }
  if (certificate?.kind === 'seen') readings.push({ ...stamp, ...certificate.certificate, subject: check.name });
  return readings;
};

const gapsOf = ({ check, outcome: { probe, certificate } }: CheckResult): readonly Gap[] => {
  const gap = (reads: Gap['reads'], { code, reason }: Unknown): Gap => ({
    ref: check.name,
    reads,
    code,
    reason: clean(`check ${check.name}: ${reason}`),
  });
  return [
    ...(probe.kind === 'unknown' ? [gap(['probe'], probe)] : []),
    ...(certificate?.kind === 'unknown' ? [gap(['certificate'], certificate)] : []),
  ];
};

const notDueGap = (check: Check): Gap => ({
  ref: check.name,
  reads: readsOf(check),
  code: 'not_due',
  reason: `check ${check.name} is made every ${(check.intervalMs ?? 0) / 1_000} s`,
});
