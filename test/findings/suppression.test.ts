import { expect, test } from 'vitest';
import { type Suppression, suppressionsOf } from '../../findings/suppression.ts';
import { asResourceId } from '../../signals/resource.ts';
import { findingOf, NOW_MS } from '../support/findings.ts';

const finding = findingOf();
const rule = (id: string, match: Suppression['match'], resourceId = finding.resourceId): Suppression => ({
  id,
  resourceId,
  match,
  by: 'ann',
  reason: null,
  createdAtMs: NOW_MS,
});

test('a rule silences its key or its category, on its resource alone', () => {
  const by = (one: Suppression) => suppressionsOf([one]).of(finding)?.id ?? null;
  expect(by(rule('s', { kind: 'key', key: 'high_disk' }))).toBe('s');
  expect(by(rule('s', { kind: 'key', key: 'high_disk:x' }))).toBeNull();
  expect(by(rule('s', { kind: 'category', category: 'capacity' }))).toBe('s');
  expect(by(rule('s', { kind: 'category', category: 'backup' }))).toBeNull();
  expect(by(rule('s', { kind: 'key', key: 'high_disk' }, asResourceId('other')))).toBeNull();
});

test('the rule for the key is named before the one for its category', () => {
  const rules = [
    rule('wide', { kind: 'category', category: 'capacity' }),
    rule('narrow', { kind: 'key', key: 'high_disk' }),
  ];
  expect(suppressionsOf(rules).of(finding)?.id).toBe('narrow');
  expect(suppressionsOf(rules).of({ ...finding, key: 'inodes_low' })?.id).toBe('wide');
});
