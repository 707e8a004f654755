import { expect, test } from 'vitest';
import { implausible } from '../../signals/plausible.ts';
import type { Reading, ReadingBody } from '../../signals/reading.ts';
import { READING_KINDS } from '../../signals/reading-mask.ts';
import { asResourceId } from '../../signals/resource.ts';
import { tell } from '../support/readings.ts';
import { START_MS } from '../support/signal-story.ts';

const stamped = (body: ReadingBody): Reading =>
  ({
    ...body,
    id: 'e1',
    resourceId: asResourceId('r'),
    sourceId: 's',
    takenAtMs: START_MS,
    receivedAtMs: START_MS,
  }) as Reading;

test.each(READING_KINDS)('a healthy reading of %s can be true', (kind) => {
  expect(implausible(stamped(tell(kind) as ReadingBody))).toBeNull();
});

const NONSENSE: readonly (readonly [what: string, body: ReadingBody])[] = [
  ['a share of time that is no number', tell('cpu', { busyRatio: Number.NaN })],
  ['a negative share of time', tell('cpu', { busyRatio: -0.1 })],
  ['an endless share of time', tell('cpu', { busyRatio: Number.POSITIVE_INFINITY })],
  ['a window that is no number', tell('cpu', { windowMs: Number.NaN })],
  ['more memory unavailable than there is', tell('memory', { unavailableBytes: 17 * 1024 ** 3 })],
  ['no memory at all', tell('memory', { totalBytes: 0, unavailableBytes: 0 })],
  ['a filesystem without a size', tell('filesystem', { sizeBytes: 0 })],
  ['negative use', tell('filesystem', { usedBytes: -1 })],
  ['space available that is no number', tell('capacity', { availableBytes: Number.NaN })],
  ['more free inodes than there are', tell('filesystem', { inodesTotal: 10, inodesFree: 11 })],
  ['a thin pool far beyond full', tell('thin_pool', { dataUsedRatio: 40 })],
  ['metadata that is no number', tell('thin_pool', { metadataUsedRatio: Number.NaN })],
  ['a sensor that is not connected', tell('temperature', { celsius: -128 })],
  ['a sensor at the end of its scale', tell('temperature', { celsius: 255 })],
  ['a negative number of devices', tell('array', { activeDevices: -1 })],
  ['a negative error count', tell('memory_errors', { correctable: -1 })],
  ['a snapshot without a time', tell('snapshots', { snapshots: [{ name: 'a', createdAtMs: Number.NaN }] })],
  ['a replication that is due at no time', tell('replication', { dueAtMs: [Number.NaN, 1] })],
  ['a negative number of failures', tell('replication', { failCount: -1 })],
  ['a job that is due at no time', tell('upkeep', { dueAtMs: [1, Number.NaN] })],
  ['a negative number of backups', tell('backup_verification', { verified: -1 })],
  ['an offset that is no number', tell('clock', { offsetMs: Number.NaN })],
  ['a boot without a time', tell('boot', { bootedAtMs: Number.NaN })],
  ['kills that are no count', tell('oom_kills', { count: Number.NaN })],
  ['a container with no room', tell('container_memory', { limitBytes: 0 })],
  ['a certificate without an end', tell('certificate', { notAfterMs: Number.NaN })],
];

test.each(NONSENSE)('%s can not be true', (_, body) => {
  expect(implausible(stamped(body))).toMatch(/\w/);
});

test('no reading without a time can be true', () => {
  expect(implausible({ ...stamped(tell('unit')), takenAtMs: Number.NaN })).toMatch(/time/);
});

test('a guest may use more than all of its CPUs', () => {
  expect(implausible(stamped(tell('cpu', { busyRatio: 1.3 })))).toBeNull();
});
