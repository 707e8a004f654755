import { expect, test } from 'vitest';
import type { Signal } from '../../signals/detector.ts';
import { match } from '../../signals/match.ts';
import { asResourceId } from '../../signals/resource.ts';

const signal = (resource: string, key: string): Signal => ({
  type: key.split(':')[0] ?? key,
  resourceId: asResourceId(resource),
  subject: null,
  key,
  severity: 'warning',
  category: 'capacity',
  title: '',
  summary: '',
  clearsWhen: '',
  level: null,
  sinceMs: 0,
  evidence: [],
  details: {},
  sourceIds: [],
});

test('one problem never hides another of the same category on the same resource', () => {
  const signals = [signal('nas/fs', 'high_disk'), signal('nas/fs', 'inodes_low'), signal('other/fs', 'high_disk')];
  const findings = [{ resourceId: asResourceId('nas/fs'), key: 'high_disk', id: 7 }];
  const { matched, unmatched } = match(signals, findings);
  expect(matched).toEqual([{ signal: signals[0], finding: findings[0] }]);
  expect(unmatched).toEqual([signals[1], signals[2]]);
});

test('subjects of one detector are problems of their own', () => {
  const signals = [signal('vm', 'backup_failed:a'), signal('vm', 'backup_failed:b')];
  expect(match(signals, [{ resourceId: asResourceId('vm'), key: 'backup_failed:b' }]).unmatched).toEqual([signals[0]]);
});
