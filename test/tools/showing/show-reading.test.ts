import { describe, expect, test } from 'vitest';
import type { Reading, ReadingBody } from '../../../signals/reading.ts';
import { asResourceId } from '../../../signals/resource.ts';
import { showReading } from '../../../src/tools/showing/show-reading.ts';
import { openToolScene } from '../../support/tool-scene.ts';

const NOW_MS = Date.UTC(2026, 2, 2, 12);
const HOUR_MS = 3_600_000;

const reading = (body: ReadingBody, takenAtMs = NOW_MS): Reading => ({
  ...body,
  id: 'e1',
  resourceId: asResourceId('x'),
  sourceId: 's',
  takenAtMs,
  receivedAtMs: takenAtMs,
});

const GUEST: ReadingBody = {
  kind: 'guest_state',
  power: 'unknown',
  pausedBecause: null,
  lock: 'backup',
  taskRunning: null,
  onBoot: true,
  nodeUpSinceMs: null,
  ha: { state: 'error', requested: null },
  lastStop: { by: 'operator', atMs: NOW_MS - HOUR_MS },
  stopsKnownSinceMs: null,
};

describe('what is not known is listed by name, and what is not there is left out', () => {
  test.each<readonly [ReadingBody, object]>([
    [
      GUEST,
      {
        lock: 'backup',
        onBoot: true,
        ha: { state: 'error' },
        lastStop: '2026-03-02T11:00Z by operator',
        unknown: ['power', 'taskRunning', 'stopsKnownSince'],
      },
    ],
    [
      {
        kind: 'snapshots',
        snapshots: [
          { name: 'b', createdAtMs: NOW_MS },
          { name: 'a', createdAtMs: NOW_MS - HOUR_MS },
        ],
      },
      { snapshots: 2, oldestFirst: ['2026-03-02T11:00Z a', '2026-03-02T12:00Z b'] },
    ],
    [
      {
        kind: 'replication',
        job: '104-0',
        target: 'pve2',
        enabled: true,
        running: false,
        lastSyncAtMs: null,
        lastTryAtMs: NOW_MS,
        failCount: 3,
        error: 'no route',
        dueAtMs: null,
      },
      {
        job: '104-0',
        target: 'pve2',
        enabled: true,
        lastTry: '2026-03-02T12:00Z',
        failuresInARow: 3,
        error: 'no route',
        unknown: ['lastSync', 'due'],
      },
    ],
    [
      {
        kind: 'quorum',
        quorate: false,
        nodes: [
          { name: 'pve1', online: true },
          { name: 'pve2', online: null },
        ],
      },
      { quorate: false, nodes: ['pve1 online', 'pve2 unknown'] },
    ],
    [{ kind: 'node_state', online: null }, { unknown: ['online'] }],
    [
      {
        kind: 'ceph',
        health: 'HEALTH_WARN',
        checks: [{ name: 'OSD_DOWN', severity: 'HEALTH_WARN', summary: '1 osd down', muted: true }],
      },
      { health: 'HEALTH_WARN', checks: ['HEALTH_WARN OSD_DOWN (muted): 1 osd down'] },
    ],
    [
      { kind: 'storage_state', enabled: true, active: false, inactiveOn: ['pve2'], holdsGuestDisks: null },
      { enabled: true, active: false, inactiveOn: ['pve2'], unknown: ['holdsGuestDisks'] },
    ],
    [
      {
        kind: 'backup_verification',
        target: 'store',
        failed: [{ backup: 'vm/104', atMs: NOW_MS }],
        verified: 4,
        unverified: 1,
      },
      { target: 'store', verified: 4, unverified: 1, failed: 1, failedOnes: ['vm/104 2026-03-02T12:00Z'] },
    ],
    [
      {
        kind: 'upkeep',
        job: 'store',
        action: 'gc',
        enabled: true,
        running: false,
        lastRun: { startedAtMs: null, endedAtMs: NOW_MS, outcome: 'failed', reason: 'locked' },
        dueAtMs: null,
      },
      {
        job: 'store',
        action: 'gc',
        enabled: true,
        lastRun: { outcome: 'failed', ended: '2026-03-02T12:00Z', reason: 'locked' },
        unknown: ['due'],
      },
    ],
    [
      {
        kind: 'backup_volumes',
        volumes: [{ name: 'scsi1', sizeBytes: 2 ** 30, included: false, excludedOnPurpose: false }],
      },
      { volumes: [{ name: 'scsi1', size: '1 GiB', inBackups: false }] },
    ],
  ])('%j', (body, facts) => {
    expect(showReading(reading(body), NOW_MS)).toEqual(facts);
  });
});

test('a long list is cut, and says by how much', () => {
  const snapshots = Array.from({ length: 40 }, (_, index) => ({ name: `s${index}`, createdAtMs: NOW_MS + index }));
  const shown = showReading(reading({ kind: 'snapshots', snapshots }), NOW_MS);
  expect(shown['oldestFirst']).toHaveLength(13);
  expect(shown).toMatchObject({ snapshots: 40, oldestFirst: expect.arrayContaining(['and 28 more']) });
});

test('what is old says so, and what is too old or from the future proves nothing', () => {
  const cpu: ReadingBody = {
    kind: 'cpu',
    busyRatio: 0.5,
    iowaitRatio: null,
    stealRatio: null,
    windowMs: 0,
    observedRatio: 1,
  };
  expect(showReading(reading(cpu), NOW_MS)).toEqual({ busy: '50 %', over: 'instant', unknown: ['iowait'] });
  expect(showReading(reading(cpu, NOW_MS - 0.2 * HOUR_MS), NOW_MS)).toMatchObject({ age: '12 min' });
  expect(showReading(reading(cpu, NOW_MS - 5 * HOUR_MS), NOW_MS)).toMatchObject({ proves: 'nothing: too old' });
  expect(showReading(reading(cpu, NOW_MS + HOUR_MS), NOW_MS)).toMatchObject({
    proves: 'nothing: it claims to be from the future',
  });
});

test('figures that make no sense are shown as unknown, not as numbers', () => {
  const body: ReadingBody = {
    kind: 'memory_errors',
    correctable: Number.NaN,
    uncorrectable: 0,
    bootedAtMs: Number.NaN,
  };
  expect(showReading(reading(body), NOW_MS)).toEqual({
    correctable: 'unknown',
    uncorrectable: 0,
    countedSince: 'unknown',
  });
});

test.each([
  'compound-bad-day',
  'zfs-mirror-degraded',
  'thin-pool-fills',
  'docker-is-well',
  'prometheus-is-well',
  'backup-is-well',
])('every reading of %s is shown in a few hundred characters', async (name) => {
  const { context } = await openToolScene(name);
  for (const one of context.ledger.readings) {
    const text = JSON.stringify(showReading(one, context.nowMs));
    expect(text.length).toBeLessThan(900);
    expect(text).not.toMatch(/null|NaN|undefined/);
  }
});
