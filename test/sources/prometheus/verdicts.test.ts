import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Sighting } from '../../../src/sources/source.ts';
import { exporterHistory } from '../../support/exporter-history.ts';
import { createJudge } from '../../support/judge-sighting.ts';
import { surveyingOf } from '../../support/prometheus-survey.ts';
import { type PrometheusProcess, prometheusMissing, startPrometheus } from '../../support/real-prometheus.ts';

const missing = prometheusMissing();
const WATCH_MS = 5 * 60_000;

type States = Readonly<Record<string, string>>;

/** The same, seen later: as long as nothing changes, each watch sees it so. */
const moved = (sighting: Sighting, byMs: number): Sighting => ({
  ...sighting,
  readings: sighting.readings.map((reading) => ({ ...reading, takenAtMs: reading.takenAtMs + byMs })),
});

const inState = (states: States, wanted: string): readonly string[] =>
  Object.entries(states)
    .filter(([, state]) => state.startsWith(wanted))
    .map(([name, state]) => `${name}: ${state.slice(wanted.length + 1)}`)
    .toSorted();

/** Proven by one look: faults, and what the past that Prometheus keeps tells. */
const AT_ONCE = [
  '/srv disk_filling: critical',
  '/srv filesystem_read_only: critical',
  '/srv high_disk: warning',
  '/tank/quota high_disk: warning',
  'backup.service service_failed: warning',
  'bus_0_megaraid_5 (ST600MM0006) smart_failure: warning',
  'db container_memory: warning',
  'https://web.example/ certificate_expiring:CN=web.example: warning',
  'md0 raid_degraded: critical',
  'nas1 memory_errors:correctable: warning',
  'nas1 oom_kill: warning',
  'nvme0n1 (Samsung SSD 970 EVO Plus 1TB) smart_failure: warning',
  'sda (ST4000VN008-2DR166) smart_failure: critical',
  'tank high_disk: warning',
  'tank zfs_unhealthy: warning',
];
/** Only when it was seen twice, or lasted. */
const LATER = [
  'https://web.example/ guest_unreachable: warning',
  'nas1 bond_degraded:bond0: warning',
  'nas1 clock_skew: warning',
];

describe.skipIf(missing !== null)(
  `from exporters to verdicts${missing === null ? '' : ` (skipped: ${missing})`}`,
  () => {
    let prometheus: PrometheusProcess;
    let first: States;
    let lasting: States;

    beforeAll(async () => {
      const nowMs = Date.now();
      prometheus = await startPrometheus({ history: exporterHistory(nowMs).text() });
      const sighting = await surveyingOf(prometheus.url)();
      const judge = createJudge();
      first = judge.judge(sighting, nowMs, null).states;
      for (let looks = 1; looks <= 4; looks += 1) {
        const atMs = nowMs + looks * WATCH_MS;
        lasting = judge.judge(moved(sighting, looks * WATCH_MS), atMs, atMs - WATCH_MS).states;
      }
    });
    afterAll(() => prometheus.stop());

    it('raises at the first look what needs no second', () => {
      expect(inState(first, 'raised').filter((name) => !LATER.includes(name))).toEqual(AT_ONCE);
    });

    it('raises in the end everything that is wrong there, and nothing else', () => {
      expect(inState(lasting, 'raised')).toEqual([...AT_ONCE, ...LATER].toSorted());
    });

    it('leaves unobserved what was not read, and trends that are too short', () => {
      expect(inState(lasting, 'unobserved')).toEqual([
        '/ disk_filling: warming_up',
        '/mnt/nfs disk_filling: failed',
        '/mnt/nfs filesystem_read_only: failed',
        '/mnt/nfs high_disk: failed',
        '/mnt/nfs inodes_low: failed',
        '/tank/quota disk_filling: warming_up',
        'sdb (ST4000VN008-2DR166) smart_failure: asleep',
        'sdb (ST4000VN008-2DR166) temperature_high: asleep',
      ]);
    });

    it('clears the rest', () => {
      const clear = inState(lasting, 'clear').map((name) => name.replace(/: $/, ''));
      expect(clear).toEqual(
        expect.arrayContaining([
          'nas1 high_cpu',
          'nas1 high_memory',
          'tank disk_filling',
          '/ high_disk',
          'node/nas1:9100 target_down',
        ]),
      );
    });
  },
);
