import { expect, test } from 'vitest';
import { withFindings } from '../../findings/memory.ts';
import { reconcile } from '../../findings/reconcile.ts';
import { renamed } from '../../findings/renamed.ts';
import { asResourceId } from '../../signals/resource.ts';
import { clearOf, findingOf, NOW_MS, signalOf } from '../support/findings.ts';

const [a, b, c] = ['a', 'b', 'c'].map(asResourceId) as [
  ReturnType<typeof asResourceId>,
  ReturnType<typeof asResourceId>,
  ReturnType<typeof asResourceId>,
];

test('findings go with the merges of their resources, one after the other', () => {
  const findings = [findingOf({ resourceId: a }), findingOf({ resourceId: c })];
  expect(renamed(findings, [])).toBe(findings);
  const merged = [
    { from: a, into: b },
    { from: b, into: c },
  ];
  expect(renamed(findings, merged).map(({ resourceId }) => resourceId)).toEqual([c, c]);
  expect(renamed(findings, merged)[1]).toBe(findings[1]);
});

test('in the run in which a resource is renamed its finding is remembered and judged under the new id', () => {
  const findings = renamed([findingOf({ resourceId: a })], [{ from: a, into: b }]);
  const memories = withFindings({ of: () => undefined }, findings);
  expect(memories.of('high_disk', b)?.get('')?.severity).toBe('warning');
  const changes = reconcile({
    findings,
    verdicts: [clearOf(signalOf({ resourceId: b }))],
    absent: [],
    skipped: [],
    gone: new Map(),
    inScope: () => true,
    nowMs: NOW_MS,
  });
  expect(changes).toMatchObject([{ findingId: 'f1', event: { kind: 'cleared' } }]);
});
