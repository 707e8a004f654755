import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { hint, proof } from '../../../signals/claim.ts';
import type { ReadingKind, ReadingOf } from '../../../signals/reading.ts';
import type { Sighting } from '../../../src/sources/source.ts';
import { exporterHistory, TARGETS } from '../../support/exporter-history.ts';
import { createMemoryState } from '../../support/memory-state.ts';
import { surveyingOf } from '../../support/prometheus-survey.ts';
import { type PrometheusProcess, prometheusMissing, startPrometheus } from '../../support/real-prometheus.ts';

const missing = prometheusMissing();
const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

describe.skipIf(missing !== null)(
  `what exporters told, asked of a real Prometheus${missing === null ? '' : ` (skipped: ${missing})`}`,
  () => {
    const nowMs = Math.floor(Date.now() / 1000) * 1000;
    const state = createMemoryState();
    let prometheus: PrometheusProcess;
    let sighting: Sighting;
    let survey: ReturnType<typeof surveyingOf>;

    beforeAll(async () => {
      prometheus = await startPrometheus({ history: exporterHistory(nowMs).text() });
      survey = surveyingOf(prometheus.url, { state });
      sighting = await survey();
    });
    afterAll(() => prometheus.stop());

    const HOST = 'host:node/nas1:9100';
    const claim = (ref: string) => sighting.claims.find((one) => one.ref === ref);
    const read = <K extends ReadingKind>(ref: string, kind: K): readonly ReadingOf<K>[] =>
      sighting.readings.filter((one) => one.ref === ref && one.kind === kind) as unknown as readonly ReadingOf<K>[];
    const seriesOf = (ref: string, metric: string) =>
      sighting.series.find((one) => one.ref === ref && one.metric === metric)?.samples ?? [];
    const gapsOf = (ref: string) => sighting.gaps.filter((gap) => gap.ref === ref);

    it('names the host by its real network cards and its boot, and puts what runs on it below it', () => {
      expect(claim(HOST)?.keys).toEqual([
        hint(`hostname-boot:nas1/${nowMs / 1000 - 90_000}`),
        hint('hostname-mac:nas1/b4:2e:99:01:02:03'),
        hint('hostname-mac:nas1/b4:2e:99:01:02:04'),
        hint('prom-target:metrics/node/nas1:9100'),
      ]);
      const elsewhere = sighting.claims.filter(
        ({ kind, parentRef }) => kind !== 'host' && kind !== 'endpoint' && parentRef !== HOST,
      );
      expect(elsewhere).toEqual([]);
      expect(sighting.claims.filter(({ kind }) => kind === 'host')).toHaveLength(1);
    });

    it('has nothing to complain of but what the exporters themselves could not read', () => {
      expect(sighting.gaps.map(({ ref, code }) => [ref, code])).toEqual([
        [`disk:${HOST}/sdb`, 'asleep'],
        [`filesystem:${HOST}/mnt/nfs`, 'failed'],
      ]);
    });

    it('averages CPU over the window: one of two CPUs was busy for ten of fifteen minutes', () => {
      const [cpu] = read(HOST, 'cpu');
      expect(cpu?.busyRatio).toBeCloseTo(1 / 3, 1);
      expect(cpu).toMatchObject({ windowMs: 15 * MINUTE_MS, iowaitRatio: null });
      expect(cpu?.observedRatio).toBeGreaterThan(0.97);
    });

    it('averages memory over the window, and counts of the ARC only what it must keep', () => {
      const [memory] = read(HOST, 'memory');
      // (10 minutes x 12 GB + 5 minutes x 4 GB) / 15 are available.
      const available = (10 * 12e9 + 5 * 4e9) / 15;
      expect(memory).toMatchObject({ totalBytes: 33_554_432_000, reclaimableArcBytes: 4e9, excludesCache: true });
      expect((memory?.unavailableBytes ?? 0) / (33_554_432_000 - available - 4e9)).toBeCloseTo(1, 1);
      expect(memory?.observedRatio).toBeGreaterThan(0.97);
    });

    it('counts OOM kills of the last hour at first, and none twice', async () => {
      expect(read(HOST, 'oom_kills')).toEqual([expect.objectContaining({ count: 2, kills: null })]);
      const again = await survey({ lastSurveyAtMs: Date.now() });
      expect(again.readings.find(({ kind }) => kind === 'oom_kills')).toMatchObject({ count: 0 });
    });

    it('tells the clock, and that it converges', () => {
      const [clock] = read(HOST, 'clock');
      expect(clock).toMatchObject({ synchronised: true, estimatedErrorMs: 2.5, resolutionMs: 1 });
      expect(clock?.offsetMs).toBeGreaterThan(200);
      const past = seriesOf(HOST, 'clock.offsetMs');
      expect(past.length).toBeGreaterThan(25);
      expect(past[0]?.value).toBeGreaterThan(clock?.offsetMs ?? 0);
    });

    it('adds up memory errors over controllers, with their past', () => {
      expect(read(HOST, 'memory_errors')).toEqual([expect.objectContaining({ correctable: 7, uncorrectable: 0 })]);
      const past = seriesOf(HOST, 'edac.correctable').map(({ value }) => value);
      expect(new Set(past)).toEqual(new Set([2, 7]));
    });

    it('says of a bond how many members are up', () => {
      expect(read(HOST, 'bond')[0]).toMatchObject({ name: 'bond0', members: [{ up: true }, { up: false }] });
    });

    it('judges processors by their package, and leaves out what nothing is connected to', () => {
      const sensors = read(HOST, 'temperature').map(({ sensor, celsius, deviceClass, criticalCelsius }) => [
        sensor,
        celsius,
        deviceClass,
        criticalCelsius,
      ]);
      expect(sensors).toEqual([['coretemp.0 Package id 0', 48, 'cpu', 100]]);
    });

    it('pairs what two exporters tell of one disk, whatever each calls it', () => {
      const disks = sighting.claims
        .filter(({ kind }) => kind === 'disk')
        .map(({ ref, name }) => [ref.slice(`disk:${HOST}/`.length), name]);
      expect(disks).toEqual([
        ['bus_0_megaraid_5', 'bus_0_megaraid_5 (ST600MM0006)'],
        ['nvme0n1', 'nvme0n1 (Samsung SSD 970 EVO Plus 1TB)'],
        ['sda', 'sda (ST4000VN008-2DR166)'],
        ['sdb', 'sdb (ST4000VN008-2DR166)'],
        ['sdz', 'sdz (QEMU HARDDISK)'],
      ]);
      expect(claim(`disk:${HOST}/sda`)?.keys).toEqual([
        proof('disk-wwn:5000c500a1b2c3d4'),
        hint('disk-serial:ST4000VN008-2DR166/ZDH1ABCD'),
        hint('disk-device:sda', 'parent'),
      ]);
      expect(claim(`disk:${HOST}/sdz`)).toMatchObject({ expects: [], facts: { virtual: true } });
    });

    it('puts an ATA disk together again from its attributes', () => {
      const [smart] = read(`disk:${HOST}/sda`, 'smart');
      expect(smart).toMatchObject({
        deviceClass: 'ata-hdd',
        healthPassed: true,
        logRead: true,
        powerOnHours: 26_690,
        nvme: null,
        scsi: null,
      });
      const attributes = new Map(smart?.attributes.map((attribute) => [attribute.id, attribute]));
      expect(attributes.get(5)).toMatchObject({
        name: 'Reallocated_Sector_Ct',
        count: 24,
        value: 100,
        threshold: 10,
        prefail: true,
        whenFailed: 'never',
      });
      expect(attributes.get(1)).toMatchObject({ value: 40, threshold: 44, whenFailed: 'now' });
      expect(attributes.get(188)?.count, 'three counters in one').toBe(3);
      expect(attributes.get(197)).toMatchObject({ count: 0, prefail: false });
    });

    it('keeps the past of counters that are not zero: a jump from 8 to 24 two days ago', () => {
      const past = seriesOf(`disk:${HOST}/sda`, 'smart.5');
      expect(past.length).toBeGreaterThan(20);
      const [before, after] = [past.filter(({ value }) => value === 8), past.filter(({ value }) => value === 24)];
      expect(before.length + after.length).toBe(past.length);
      expect(Math.max(...before.map(({ atMs }) => atMs))).toBeLessThan(nowMs - 47 * HOUR_MS);
      expect(Math.min(...after.map(({ atMs }) => atMs))).toBeGreaterThan(nowMs - 49 * HOUR_MS);
      expect(seriesOf(`disk:${HOST}/sda`, 'smart.197')).toEqual([]);
    });

    it('reads NVMe and SCSI disks by their own figures', () => {
      expect(read(`disk:${HOST}/nvme0n1`, 'smart')[0]).toMatchObject({
        deviceClass: 'nvme',
        nvme: { criticalWarning: 0, availableSparePercent: 100, availableSpareThresholdPercent: 10, mediaErrors: 4 },
        wearUsedPercent: 7,
      });
      expect(seriesOf(`disk:${HOST}/nvme0n1`, 'smart.nvme.mediaErrors').length).toBeGreaterThan(0);
      expect(read(`disk:${HOST}/bus_0_megaraid_5`, 'smart')[0]).toMatchObject({
        deviceClass: 'scsi',
        scsi: { grownDefects: 3, uncorrectedErrors: 3 },
      });
      expect(seriesOf(`disk:${HOST}/bus_0_megaraid_5`, 'smart.scsi.uncorrected').at(-1)?.value).toBe(3);
    });

    it('calls a sleeping disk asleep, not failed', () => {
      expect(read(`disk:${HOST}/sdb`, 'smart')).toEqual([]);
      expect(gapsOf(`disk:${HOST}/sdb`)).toEqual([expect.objectContaining({ code: 'asleep', reads: ['smart'] })]);
    });

    it('averages the temperature of disks, each once', () => {
      const [nvme, ...more] = read(`disk:${HOST}/nvme0n1`, 'temperature');
      expect(more).toEqual([]);
      expect(nvme?.celsius).toBeGreaterThan(55);
      expect(nvme?.celsius).toBeLessThan(70);
      expect(nvme).toMatchObject({
        sensor: 'drive',
        deviceClass: 'nvme',
        warnCelsius: 81.85,
        criticalCelsius: 84.85,
        windowMs: 5 * MINUTE_MS,
      });
      expect(read(`disk:${HOST}/sda`, 'temperature')[0]).toMatchObject({
        celsius: 34,
        deviceClass: 'hdd',
        criticalCelsius: null,
      });
      expect(read(`disk:${HOST}/bus_0_megaraid_5`, 'temperature')[0]).toMatchObject({
        celsius: 36,
        criticalCelsius: 60,
      });
    });

    it('watches each real filesystem once, and of datasets those with a quota', () => {
      const mounts = sighting.claims.filter(({ kind }) => kind === 'filesystem').map(({ name }) => name);
      expect(mounts.toSorted()).toEqual(['/', '/boot/efi', '/mnt/nfs', '/srv', '/tank/quota']);
      expect(claim(`filesystem:${HOST}/`)?.keys).toEqual([hint('fs-mount:/', 'parent')]);
      expect(read(`filesystem:${HOST}/`, 'filesystem')[0]).toMatchObject({
        sizeBytes: 1e11,
        usedBytes: 6e10,
        availableBytes: 3.5e10,
        inodesTotal: 6.1e6,
        inodesFree: 5.9e6,
        superblockReadOnly: false,
      });
      expect(read(`filesystem:${HOST}/boot/efi`, 'filesystem')[0]).toMatchObject({ inodesTotal: null });
    });

    it('knows that a filesystem was writable before it turned read-only, and leaves one alone that never was', () => {
      expect(read(`filesystem:${HOST}/srv`, 'filesystem')[0]).toMatchObject({ superblockReadOnly: true });
      expect(claim(`filesystem:${HOST}/srv`)).toMatchObject({ status: 'degraded', facts: { meantWritable: true } });
      expect(seriesOf(`filesystem:${HOST}/srv`, 'filesystem.readOnly').map(({ value }) => value)).toEqual([0, 1]);
      expect(claim(`filesystem:${HOST}/mnt/archive`)).toBeUndefined();
    });

    it('gives the trend of a filesystem since the last hole in its samples', () => {
      const used = seriesOf(`filesystem:${HOST}/srv`, 'space.usedBytes');
      expect(used.length).toBe(24);
      const [first, last] = [used[0], used.at(-1)];
      const hours = ((last?.atMs ?? 0) - (first?.atMs ?? 0)) / HOUR_MS;
      expect(hours).toBeCloseTo(46, 1);
      expect(((last?.value ?? 0) - (first?.value ?? 0)) / hours / 1e9).toBeCloseTo(1, 1);
      expect(seriesOf(`filesystem:${HOST}/srv`, 'space.sizeBytes').map(({ value }) => value)).toEqual([2e11]);
      expect(seriesOf(`filesystem:${HOST}/boot/efi`, 'space.usedBytes'), 'nearly empty').toEqual([]);
    });

    it('reads a degraded array that rebuilds', () => {
      expect(claim(`array:${HOST}/md0`)?.keys).toEqual([hint('array-name:md0', 'parent')]);
      expect(read(`array:${HOST}/md0`, 'array')[0]).toMatchObject({
        requiredDevices: 2,
        activeDevices: 1,
        failedMembers: ['unnamed 1'],
        rebuild: { action: 'recovery', doneRatio: 0.25 },
      });
    });

    it('reads a pool once, though two exporters tell of it', () => {
      const ref = `pool:${HOST}/zfs/tank`;
      expect(claim(ref)).toMatchObject({
        keys: [hint('pool-name:zfs/tank', 'parent')],
        expects: ['zfs_pool', 'capacity'],
      });
      expect(read(ref, 'zfs_pool')).toEqual([expect.objectContaining({ state: 'DEGRADED', redundancyLeft: null })]);
      expect(read(ref, 'capacity')[0]).toMatchObject({ sizeBytes: 8e12, usedBytes: 6e12, availableBytes: 2e12 });
    });

    it('shows units that failed or restart, since when, and not those that are well', () => {
      const units = sighting.claims.filter(({ kind }) => kind === 'service').map(({ name, status }) => [name, status]);
      expect(units.toSorted()).toEqual([
        ['backup.service', 'failed'],
        ['worker.service', 'running'],
      ]);
      expect(claim(`unit:${HOST}/backup.service`)?.keys).toEqual([proof('unit:backup.service', 'parent')]);
      const [backup] = read(`unit:${HOST}/backup.service`, 'unit');
      expect(backup).toMatchObject({ activeState: 'failed', restartCount: null });
      expect(Math.abs((backup?.stateSinceMs ?? 0) - (nowMs - 20 * MINUTE_MS))).toBeLessThan(2 * MINUTE_MS);
      const [worker] = read(`unit:${HOST}/worker.service`, 'unit');
      expect(worker?.restartCount).toBeGreaterThanOrEqual(10);
      expect(seriesOf(`unit:${HOST}/worker.service`, 'unit.restarts').length).toBeGreaterThan(50);
    });

    it('measures containers against their limit, by names that last', () => {
      const containers = sighting.claims.filter(({ kind }) => kind === 'container').map(({ name }) => name);
      expect(containers.toSorted()).toEqual(['cache', 'db', 'web.1']);
      expect(claim(`container:${HOST}/db`)?.keys).toEqual([proof('container-name:db', 'parent')]);
      expect(read(`container:${HOST}/db`, 'container_memory')[0]).toMatchObject({
        workingSetBytes: 9.4e8,
        limitBytes: 1e9,
        observedRatio: 1,
      });
      expect(read(`container:${HOST}/cache`, 'container_memory')[0]).toMatchObject({ limitBytes: null });
    });

    it('reads probes and the certificates that they saw', () => {
      const web = `probe:${TARGETS.web.instance}`;
      expect(claim(web)).toMatchObject({ kind: 'endpoint', keys: [proof(`probe-target:${TARGETS.web.instance}`)] });
      expect(read(web, 'probe')[0]).toMatchObject({
        check: 'blackbox',
        probe: 'http',
        answered: false,
        reason: expect.stringContaining('503'),
        latencyMs: 84.2,
      });
      const [certificate] = read(web, 'certificate');
      expect(certificate).toMatchObject({ subject: 'CN=web.example', invalidReason: null });
      expect(Math.abs((certificate?.notAfterMs ?? 0) - (nowMs + 12 * 24 * HOUR_MS))).toBeLessThan(2_000);
      expect(read(`probe:${TARGETS.ping.instance}`, 'probe')[0]).toMatchObject({
        probe: 'icmp',
        answered: true,
        reason: null,
      });
    });

    it('dates readings by the scrape, not by the question', () => {
      const ages = sighting.readings.map(({ takenAtMs }) => Date.now() - takenAtMs);
      expect(Math.min(...ages)).toBeGreaterThanOrEqual(0);
      expect(Math.max(...ages)).toBeLessThan(5 * MINUTE_MS);
      expect(
        new Set(
          sighting.readings.map(
            ({ takenAtMs }) =>
              Math.abs(takenAtMs - nowMs) % 15_000 < 500 || Math.abs(takenAtMs - nowMs) % 15_000 > 14_500,
          ),
        ),
      ).toEqual(new Set([true]));
    });

    it('leaves SMART for the hour, and says so', async () => {
      const watch = await survey({ paces: ['fast'] });
      expect(watch.readings.some(({ kind }) => kind === 'smart')).toBe(false);
      expect(watch.gaps.filter(({ code }) => code === 'not_due').map(({ ref }) => ref)).toContain(`disk:${HOST}/sda`);
      expect(watch.claims.length).toBe(sighting.claims.length);
      expect(
        watch.series.some(({ metric }) => metric === 'space.usedBytes'),
        'trends are kept for an hour',
      ).toBe(true);
    });

    it('lists all kinds of things of a host whose exporters all answer', () => {
      const kinds = sighting.listed.filter(({ parentRef }) => parentRef === HOST).map(({ kind }) => kind);
      expect(kinds.toSorted()).toEqual(['array', 'container', 'disk', 'filesystem', 'pool', 'service']);
    });

    it('reads nothing else than what match lets through', async () => {
      const narrowed = await surveyingOf(prometheus.url, { config: { match: ['job=~"node|zfs"'] } })();
      expect(new Set(narrowed.readings.map(({ kind }) => kind))).not.toContain('smart');
      expect(narrowed.claims.some(({ kind }) => kind === 'filesystem')).toBe(true);
    });
  },
);
