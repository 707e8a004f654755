import { expect, test } from 'vitest';
import { memoryOf, withFindings } from '../../findings/memory.ts';
import type { VerdictMemory } from '../../signals/detector.ts';
import type { Memories } from '../../signals/evaluate.ts';
import { asResourceId } from '../../signals/resource.ts';
import { findingOf, NOW_MS } from '../support/findings.ts';

const nothing: Memories = { of: () => undefined };
const kept = (memory: VerdictMemory, subject = ''): Memories => ({ of: () => new Map([[subject, memory]]) });
const memory: VerdictMemory = { severity: 'critical', level: 96, sinceMs: 1, bad: null, seenAtMs: 2 };
const finding = findingOf();
const { resourceId } = finding;

test('a finding that is raised is remembered, whatever became of the memory of its detector', () => {
  const told = withFindings(nothing, [finding]).of('high_disk', resourceId)?.get('');
  expect(told).toEqual({
    severity: 'warning',
    level: 80,
    trigger: 75,
    sinceMs: NOW_MS,
    bad: null,
    seenAtMs: NOW_MS,
    sourceIds: ['host'],
  });
  const streak = { sinceMs: 5, lastAtMs: 6, looks: 2 };
  const half = withFindings(kept({ ...memory, severity: null, bad: streak }), [finding]).of('high_disk', resourceId);
  expect(half?.get('')).toMatchObject({ severity: 'warning', bad: streak });
});

test("the detector's own memory goes before, and learns who raised it", () => {
  expect(withFindings(kept(memory), [finding]).of('high_disk', resourceId)?.get('')).toEqual({
    ...memory,
    sourceIds: ['host'],
  });
  const told = { ...memory, sourceIds: ['other'] };
  expect(withFindings(kept(told), [finding]).of('high_disk', resourceId)?.get('')).toBe(told);
});

test('subjects are told apart, and other detectors and resources are left alone', () => {
  const memories = withFindings(kept(memory, '/var'), [findingOf({ subject: '/srv:1' })]);
  expect([...(memories.of('high_disk', resourceId)?.keys() ?? [])]).toEqual(['/var', '/srv:1']);
  expect([...(memories.of('high_cpu', resourceId)?.keys() ?? [])]).toEqual(['/var']);
});

test('what is resolved, or was never shown by a detector, is no memory', () => {
  expect(memoryOf({ ...finding, state: 'resolved' })).toBeNull();
  expect(memoryOf({ ...finding, detector: null })).toBeNull();
  expect(memoryOf({ ...finding, lastSignalAtMs: null })).toBeNull();
});

test('asked by resource it tells the same as asked one by one', () => {
  const byDetector = new Map([
    ['high_disk', new Map([['/var', memory]])],
    ['high_cpu', new Map([['', memory]])],
  ]);
  const base: Memories = { of: (detector) => byDetector.get(detector), onResource: () => byDetector };
  const memories = withFindings(base, [finding, findingOf({ type: 'smart_failure' })]);
  const all = memories.onResource?.(resourceId);
  expect([...(all?.keys() ?? [])].toSorted()).toEqual(['high_cpu', 'high_disk', 'smart_failure']);
  for (const [detector, subjects] of all ?? []) expect(subjects).toEqual(memories.of(detector, resourceId));
  expect(memories.onResource?.(asResourceId('elsewhere'))).toBe(byDetector);
});
