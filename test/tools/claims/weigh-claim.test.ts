import { describe, expect, test } from 'vitest';
import type { AnyDetector, Signal, Verdict } from '../../../signals/detector.ts';
import { detectors } from '../../../signals/detectors/index.ts';
import { asResourceId } from '../../../signals/resource.ts';
import { type Claim, type Judgements, weighClaim } from '../../../src/tools/claims/weigh-claim.ts';

const resourceId = asResourceId('vm1');

const verdict = (
  detector: string,
  state: Verdict['state'],
  more: { readonly subject?: string; readonly evidence?: readonly string[]; readonly code?: string } = {},
): Verdict => {
  const { subject = null, evidence = ['e1'], code = 'not_permitted' } = more;
  const base = { detector, resourceId, subject, memory: null };
  if (state === 'clear') return { ...base, state };
  if (state === 'unobserved') return { ...base, state, code: code as 'asleep', reason: 'why', retryAtMs: null };
  const signal = { type: detector, resourceId, subject, severity: 'warning', evidence } as unknown as Signal;
  return { ...base, state, signal: { ...signal, key: subject === null ? detector : `${detector}:${subject}` } };
};

const cited = (kind: string, id = 'e1') => ({ id, kind, resourceId, sourceId: 's', takenAtMs: 0 });

const claim = (more: Partial<Claim> = {}): Claim => ({
  key: 'trouble',
  title: 'Something is wrong',
  summary: 'It looks bad.',
  severity: 'warning',
  about: null,
  evidence: [cited('backup')],
  ...more,
});

const judged = (verdicts: readonly Verdict[], skipped: Judgements['skipped'] = []): Judgements => ({
  detectors: detectors as readonly AnyDetector[],
  verdicts,
  skipped,
});

describe('where there are several of a thing', () => {
  const verdicts = [
    verdict('backup_failed', 'raised', { subject: 'offsite', evidence: ['e1'] }),
    verdict('backup_failed', 'clear', { subject: 'local' }),
  ];

  test.each([
    ['the one that is named by key', { key: 'backup_failed:local', about: 'backup_failed' }, 'contradicted'],
    ['the one that is named in words', { title: 'Backup to local failed', about: 'backup_failed' }, 'contradicted'],
    ['the one that failed', { title: 'Backup to offsite failed' }, 'raised'],
    ['none by name', { title: 'Backup has failed' }, 'raised'],
  ])('%s is meant', (_what, more, kind) => {
    expect(weighClaim(claim(more), judged(verdicts)).kind).toBe(kind);
  });

  test('of two that failed, the one whose readings are cited', () => {
    const both = [
      verdict('backup_failed', 'raised', { subject: 'a', evidence: ['e1'] }),
      verdict('backup_failed', 'raised', { subject: 'b', evidence: ['e2'] }),
    ];
    const weighed = weighClaim(claim({ about: 'backup_failed', evidence: [cited('backup', 'e2')] }), judged(both));
    expect(weighed).toMatchObject({ kind: 'raised', signal: { subject: 'b' } });
  });
});

test('what one detector raised is meant before what another, nearer in words, has cleared', () => {
  const verdicts = [verdict('high_memory', 'clear'), verdict('oom_kill', 'raised')];
  const weighed = weighClaim(
    claim({ title: 'Memory ran out: OOM kill of mysqld', evidence: [cited('oom_kills')] }),
    judged(verdicts),
  );
  expect(weighed).toMatchObject({ kind: 'raised', signal: { type: 'oom_kill' } });
});

test('what a detector could not see may be claimed, and is from then on its to rule', () => {
  const weighed = weighClaim(
    claim({ about: 'smart_failure', evidence: [cited('log')] }),
    judged([verdict('smart_failure', 'unobserved')]),
  );
  expect(weighed).toEqual({ kind: 'unobserved', detector: 'smart_failure', subject: null });
});

test.each(['warming_up', 'confirming'])('%s: readings alone prove nothing yet, a log may', (code) => {
  const judgements = judged([verdict('high_cpu', 'unobserved', { code })]);
  const words = { title: 'CPU is busy' };
  expect(weighClaim(claim({ ...words, evidence: [cited('cpu')] }), judgements).kind).toBe('premature');
  expect(weighClaim(claim({ ...words, evidence: [cited('cpu'), cited('log', 'x1')] }), judgements).kind).toBe(
    'unobserved',
  );
});

test('what is switched off, or out of scope, can not be claimed in its name; the reason is told', () => {
  const skipped = [{ detector: 'high_cpu', resourceId, code: 'switched_off', reason: 'switched off' } as const];
  expect(weighClaim(claim({ about: 'high_cpu' }), judged([], skipped))).toEqual({
    kind: 'not_judged',
    detector: 'high_cpu',
    reason: 'switched off',
  });
});

describe('in words of no detector', () => {
  const clear = judged([verdict('backup_failed', 'clear'), verdict('backup_stale', 'clear')]);

  test.each([
    ['a problem, on readings that are judged clear', {}, 'contradicted'],
    ['a remark on the same readings', { severity: 'watch' }, 'own'],
    ['a problem that a log shows', { evidence: [cited('backup'), cited('log', 'x1')] }, 'own'],
    ['a problem on readings that nobody judges', { evidence: [cited('snapshots')] }, 'own'],
  ] as const)('%s', (_what, more, kind) => {
    expect(weighClaim(claim(more), clear).kind).toBe(kind);
  });

  test('what stands on the readings of a raised signal is that problem', () => {
    const raised = judged([verdict('backup_failed', 'raised', { evidence: ['e1'] }), verdict('backup_stale', 'clear')]);
    expect(weighClaim(claim(), raised).kind).toBe('raised');
    expect(weighClaim(claim({ evidence: [cited('backup', 'e2')] }), raised).kind).toBe('contradicted');
  });
});
