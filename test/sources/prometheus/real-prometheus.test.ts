import { readFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { hint, proof } from '../../../signals/claim.ts';
import { systemClock } from '../../../src/runtime/clock.ts';
import { hostConfigSchema } from '../../../src/sources/host/config.ts';
import { hostSource } from '../../../src/sources/host/host.ts';
import type { Sighting } from '../../../src/sources/source.ts';
import { claimOf, createInventory, surveyOf } from '../../support/identities.ts';
import { createMemoryState } from '../../support/memory-state.ts';
import { surveyingOf } from '../../support/prometheus-survey.ts';
import {
  type ExporterProcess,
  type PrometheusProcess,
  prometheusMissing,
  startNodeExporter,
  startPrometheus,
} from '../../support/real-prometheus.ts';
import { sourceDeps, surveyRequest } from '../../support/source-deps.ts';

const missing = prometheusMissing();
const BOOTED_AT_S = Number(/^btime (\d+)$/m.exec(readFileSync('/proc/stat', 'utf8'))?.[1]);

describe.skipIf(missing !== null)(
  `a real Prometheus that scrapes a real node_exporter${missing === null ? '' : ` (skipped: ${missing})`}`,
  () => {
    let exporter: ExporterProcess;
    let prometheus: PrometheusProcess;
    let sighting: Sighting;
    const state = createMemoryState();
    const survey = () => surveyingOf(prometheus.url, { state })();

    beforeAll(async () => {
      exporter = await startNodeExporter();
      prometheus = await startPrometheus({
        jobs: [{ job: 'node', targets: [exporter.instance], labels: { rack: 'r1' } }],
      });
      await prometheus.until(
        'count_over_time(node_boot_time_seconds[1m])',
        ([result]) => Number(result?.value[1] ?? 0) >= 5,
      );
      sighting = await survey();
    });
    afterAll(async () => {
      await prometheus.stop();
      await exporter.stop();
    });

    const host = () => sighting.claims.find(({ kind }) => kind === 'host');
    const kindsRead = (ref: string | undefined) =>
      sighting.readings.filter((reading) => reading.ref === ref).map(({ kind }) => kind);

    it('shows the host under the names that the host itself has', () => {
      expect(host()).toMatchObject({ name: hostname(), status: 'running', tags: ['rack=r1'] });
      expect(host()?.keys).toContainEqual(hint(`hostname-boot:${hostname()}/${BOOTED_AT_S}`));
    });

    it('delivers what it promises of the host, and says nothing is missing', () => {
      expect(sighting.gaps).toEqual([]);
      expect(host()?.expects.toSorted()).toEqual(['boot', 'clock', 'cpu', 'memory', 'oom_kills']);
      expect(kindsRead(host()?.ref).toSorted()).toEqual(['boot', 'clock', 'cpu', 'memory', 'oom_kills']);
    });

    it('reads plausible figures, of a window that has only begun to fill', () => {
      const cpu = sighting.readings.find(({ kind }) => kind === 'cpu');
      expect(cpu).toMatchObject({ windowMs: 900_000 });
      if (cpu?.kind !== 'cpu') throw new Error('no CPU reading');
      expect(cpu.busyRatio).toBeGreaterThanOrEqual(0);
      expect(cpu.busyRatio).toBeLessThanOrEqual(1);
      expect(cpu.observedRatio).toBeLessThan(0.2);
      const memory = sighting.readings.find(({ kind }) => kind === 'memory');
      const totalKib = Number(/^MemTotal:\s+(\d+) kB$/m.exec(readFileSync('/proc/meminfo', 'utf8'))?.[1]);
      expect(memory).toMatchObject({ totalBytes: totalKib * 1024, excludesCache: true });
    });

    it('joins the host that the host source claims, though that alone can prove who it is', () => {
      const { keys = [] } = host() ?? {};
      const own = claimOf('host', 'host', [
        proof('machine-id:0123456789abcdef0123456789abcdef'),
        ...keys.filter(({ key }) => key.startsWith('hostname-')),
      ]);
      const resolution = createInventory().run([surveyOf('this-host', [own]), surveyOf('metrics', sighting.claims)]);
      expect(resolution.idOf('metrics', host()?.ref ?? '')).toBe(resolution.idOf('this-host', 'host'));
      expect(resolution.resources.filter(({ kind }) => kind === 'host')).toHaveLength(1);
    });

    it('gives one set of resources with the host source', async () => {
      const here = hostSource.create('this-host', hostConfigSchema.parse({}), sourceDeps({ clock: systemClock }));
      const own = await here.survey(surveyRequest());
      await here.close();
      const resolution = createInventory().run([
        surveyOf('this-host', own.claims),
        surveyOf('metrics', sighting.claims),
      ]);
      const idsOf = (sourceId: string, seen: Sighting, kinds: readonly string[]) =>
        seen.claims.filter(({ kind }) => kinds.includes(kind)).map(({ ref }) => resolution.idOf(sourceId, ref));
      expect(idsOf('metrics', sighting, ['host'])).toEqual(idsOf('this-host', own, ['host']));
      const shared = ['filesystem', 'disk', 'array', 'pool'];
      const seenHere = new Set(idsOf('this-host', own, shared));
      expect(idsOf('metrics', sighting, shared).filter((id) => !seenHere.has(id))).toEqual([]);
    });

    it('shows the target with its host, and lists what it has seen in full', () => {
      const ref = `target:node/${exporter.instance}`;
      expect(sighting.claims.find((claim) => claim.ref === ref)).toMatchObject({
        kind: 'endpoint',
        parentRef: host()?.ref,
      });
      expect(sighting.readings.find((reading) => reading.ref === ref)).toMatchObject({
        kind: 'target',
        up: true,
        downSinceMs: null,
      });
      expect(sighting.listed).toContainEqual({ kind: 'host', parentRef: null });
      expect(sighting.listed).toContainEqual({ kind: 'filesystem', parentRef: host()?.ref });
    });

    it('remembers a host whose exporter went away, with everything unreachable and nothing listed below it', async () => {
      const before = host();
      await exporter.stop();
      await prometheus.until('up', ([result]) => result?.value[1] === '0');
      const after = await survey();
      const claim = after.claims.find(({ kind }) => kind === 'host');
      expect(claim).toMatchObject({ ref: before?.ref, name: before?.name, status: 'unknown', keys: before?.keys });
      expect(claim?.expects).toEqual(expect.arrayContaining(['cpu', 'memory']));
      expect(after.readings.filter(({ ref }) => ref === claim?.ref)).toEqual([]);
      expect(after.gaps).toContainEqual(expect.objectContaining({ ref: claim?.ref, reads: [], code: 'unreachable' }));
      expect(after.listed.filter(({ parentRef }) => parentRef === claim?.ref)).toEqual([]);
      const target = after.readings.find(({ kind }) => kind === 'target');
      expect(target).toMatchObject({ up: false, lastError: expect.stringContaining('refused') });
      if (target?.kind !== 'target') throw new Error('no target reading');
      expect(target.downSinceMs).not.toBeNull();
    });
  },
);
