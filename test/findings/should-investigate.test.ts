import { expect, test } from 'vitest';
import { type Disposition, undecided } from '../../findings/finding.ts';
import { INVESTIGATION_OUTCOMES, type InvestigationOutcome } from '../../findings/investigation.ts';
import {
  type Autonomy,
  INVESTIGATION_REASONS,
  type Investigable,
  type InvestigationReason,
  defaultInvestigationLimits as limits,
  shouldInvestigate,
} from '../../findings/should-investigate.ts';
import { SEVERITIES } from '../../signals/detector.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS, NOW_MS } from '../support/findings.ts';

const decision = {
  by: 'ann',
  atMs: NOW_MS - HOUR_MS,
  note: null,
  mark: { severity: 'warning', value: null, unit: null },
} as const;
const DISPOSITIONS: Readonly<Record<string, Disposition>> = {
  none: undecided,
  acknowledged: { kind: 'acknowledged', ...decision },
  snoozed: { kind: 'snoozed', untilMs: NOW_MS + 1, ...decision },
  'snooze over': { kind: 'snoozed', untilMs: NOW_MS, ...decision },
  dismissed: { kind: 'dismissed', reason: 'not_an_issue', remindAtMs: null, ...decision },
  suppressed: { kind: 'suppressed', suppressionId: 's1', atMs: NOW_MS },
};
const AUTONOMIES: readonly (Autonomy | null)[] = [null, 'monitor', 'approval', 'assisted', 'full'];
const OUTCOMES: readonly (InvestigationOutcome | null)[] = [null, ...INVESTIGATION_OUTCOMES];
/** How long ago the last one ended, around every edge of the three cooldowns. */
const ELAPSED_MS: readonly (number | null)[] = [
  null,
  0,
  10 * MINUTE_MS - 1,
  10 * MINUTE_MS,
  20 * MINUTE_MS - 1,
  20 * MINUTE_MS,
  HOUR_MS - 1,
  HOUR_MS,
  // The clock was a day ahead when it ended.
  -DAY_MS,
];
const ATTEMPTS = [0, 2, 3, 4];

/** PRODUCT.md's section, written down a second time: each refusal with its own predicate, in the order of the text. */
interface Case {
  readonly autonomy: Autonomy | null;
  readonly state: 'active' | 'resolved';
  readonly disposition: string;
  readonly severity: (typeof SEVERITIES)[number];
  readonly outcome: InvestigationOutcome | null;
  readonly running: boolean;
  readonly attempts: number;
  readonly elapsedMs: number | null;
}

const cooldown = (outcome: InvestigationOutcome | null): number => {
  if (outcome === 'timed_out') return 10 * MINUTE_MS;
  return outcome === 'fix_failed' || outcome === 'fix_verification_failed' ? 20 * MINUTE_MS : HOUR_MS;
};

const REFUSALS: readonly (readonly [InvestigationReason, (one: Case) => boolean])[] = [
  ['autonomy_off', ({ autonomy }) => autonomy !== 'approval' && autonomy !== 'assisted' && autonomy !== 'full'],
  ['resolved', ({ state }) => state === 'resolved'],
  ['dismissed', ({ disposition }) => disposition === 'dismissed'],
  ['suppressed', ({ disposition }) => disposition === 'suppressed'],
  ['snoozed', ({ disposition }) => disposition === 'snoozed'],
  ['severity_too_low', ({ severity }) => severity === 'info' || severity === 'watch'],
  ['fix_queued', ({ outcome }) => outcome === 'fix_queued'],
  [
    'outcome_terminal',
    ({ outcome }) =>
      outcome === 'fix_verified' ||
      outcome === 'resolved' ||
      outcome === 'fix_rejected' ||
      outcome === 'cannot_fix' ||
      outcome === 'needs_attention' ||
      outcome === 'fix_verification_unknown',
  ],
  ['running', ({ running }) => running],
  ['attempts_exhausted', ({ attempts }) => attempts >= 3],
  ['cooling_down', ({ outcome, elapsedMs }) => elapsedMs !== null && Math.abs(elapsedMs) < cooldown(outcome)],
];

function* cases(): Generator<Case> {
  for (const autonomy of AUTONOMIES)
    for (const state of ['active', 'resolved'] as const)
      for (const disposition of Object.keys(DISPOSITIONS))
        for (const severity of SEVERITIES)
          for (const outcome of OUTCOMES)
            for (const running of [false, true])
              for (const attempts of ATTEMPTS)
                for (const elapsedMs of ELAPSED_MS)
                  yield { autonomy, state, disposition, severity, outcome, running, attempts, elapsedMs };
}

const findingOf = ({ state, disposition, severity, outcome, running, attempts, elapsedMs }: Case): Investigable => ({
  state,
  disposition: DISPOSITIONS[disposition] ?? undecided,
  severity,
  investigation: { outcome, running, attempts, lastEndedAtMs: elapsedMs === null ? null : NOW_MS - elapsedMs },
});

test('every combination of the classes of its inputs gets the first refusal that holds, or is due', () => {
  const seen = new Map<InvestigationReason, number>();
  for (const one of cases()) {
    const expected = REFUSALS.find(([, holds]) => holds(one))?.[0] ?? 'due';
    const verdict = shouldInvestigate(findingOf(one), one.autonomy, NOW_MS);
    if (verdict.reason !== expected || verdict.investigate !== (expected === 'due'))
      expect({ one, verdict }).toEqual({ one, verdict: expected });
    seen.set(expected, (seen.get(expected) ?? 0) + 1);
  }
  // Every reason is reached, in its order of precedence, and nothing else is.
  expect([...REFUSALS.map(([reason]) => reason), 'due']).toEqual(INVESTIGATION_REASONS);
  expect([...seen.keys()].toSorted()).toEqual([...INVESTIGATION_REASONS].toSorted());
});

test('the limits are settings', () => {
  const finding = findingOf({
    autonomy: 'full',
    state: 'active',
    disposition: 'none',
    severity: 'critical',
    outcome: null,
    running: false,
    attempts: 1,
    elapsedMs: MINUTE_MS,
  });
  expect(shouldInvestigate(finding, 'full', NOW_MS).reason).toBe('cooling_down');
  expect(shouldInvestigate(finding, 'full', NOW_MS, { ...limits, cooldownMs: MINUTE_MS }).reason).toBe('due');
  expect(shouldInvestigate(finding, 'full', NOW_MS, { ...limits, maxAttempts: 1 }).reason).toBe('attempts_exhausted');
});
