import { expect, test } from 'vitest';
import type { Finding } from '../../findings/finding.ts';
import { patrold } from '../../findings/history-entry.ts';
import { mergeFindings, olderFirst } from '../../findings/merge.ts';
import { transition } from '../../findings/transition.ts';
import { DAY_MS, findingOf, HOUR_MS, NOW_MS } from '../support/findings.ts';

const after = (finding: Finding, event: Parameters<typeof transition>[1]): Finding => {
  const outcome = transition(finding, event, NOW_MS);
  if (!outcome.ok) throw new Error(outcome.reason);
  return outcome.finding;
};
const older = findingOf({}, { id: 'old', firstSeenAtMs: NOW_MS - DAY_MS, sinceMs: NOW_MS - DAY_MS });
const younger = findingOf(
  { severity: 'critical', sourceIds: ['metrics'] },
  { id: 'young', lastSeenAtMs: NOW_MS + HOUR_MS, summary: 'newer' },
);
const over = (finding: Finding) => after(finding, { kind: 'cleared', actor: patrold, reason: null });
const acknowledged = (finding: Finding) => after(finding, { kind: 'acknowledge', by: 'ann', note: null });

test('the older one goes on', () => {
  expect(olderFirst(younger, older).map(({ id }) => id)).toEqual(['old', 'young']);
  expect(olderFirst(older, { ...older, id: 'a' }).map(({ id }) => id)).toEqual(['a', 'old']);
});

test('both active: the worse severity, the newer words, all sources, the longest past', () => {
  const { survivor, ended } = mergeFindings(older, younger, NOW_MS);
  expect(survivor.finding).toMatchObject({
    id: 'old',
    state: 'active',
    severity: 'critical',
    summary: 'newer',
    sourceIds: ['host', 'metrics'],
    sinceMs: NOW_MS - DAY_MS,
    lastSeenAtMs: NOW_MS + HOUR_MS,
    episode: 1,
  });
  expect(survivor.entries).toMatchObject([{ kind: 'merged', data: { with: 'young' } }]);
  expect(ended).toMatchObject({
    finding: { state: 'resolved', resolution: { by: 'merged' } },
    entries: [{ kind: 'merged', data: { into: 'old' } }],
  });
});

test("an operator's decision about either is kept", () => {
  expect(mergeFindings(older, acknowledged(younger), NOW_MS).survivor.finding.disposition.kind).toBe('acknowledged');
  expect(mergeFindings(acknowledged(older), younger, NOW_MS).survivor.finding.disposition.kind).toBe('acknowledged');
});

test('the older one was over and the younger goes on: its episode is the next one', () => {
  const { survivor } = mergeFindings(over(older), younger, NOW_MS);
  expect(survivor.finding).toMatchObject({
    id: 'old',
    state: 'active',
    episode: 2,
    regressions: 1,
    firstSeenAtMs: NOW_MS - DAY_MS,
    summary: 'newer',
  });
});

test('the younger one was over: the older one goes on as it is', () => {
  const { survivor, ended } = mergeFindings(older, over(younger), NOW_MS);
  expect(survivor.finding).toMatchObject({ state: 'active', severity: 'warning', episode: 1 });
  expect(ended.finding.resolution?.by).toBe('clear');
});
