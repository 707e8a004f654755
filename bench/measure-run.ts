/**
 * One whole no-model run over the large estate, in a process of its own: prints its seconds, its own peak memory and
 * what it found, as JSON. The database is cold. Arguments: directory of the recorded answers, when they were recorded.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { detectors } from '../signals/detectors/index.ts';
import { createLimitResolver, noSettings } from '../signals/limits.ts';
import { createPatrol } from '../src/composition/patrol.ts';
import { runOnce } from '../src/composition/run-once.ts';
import { openStores } from '../src/composition/stores.ts';
import type { PatrolSettings } from '../src/patrol/settings.ts';
import { systemClock } from '../src/runtime/clock.ts';
import { openDatabase } from '../src/runtime/database.ts';
import { createIds } from '../src/runtime/ids.ts';
import { createLogger } from '../src/runtime/logger.ts';
import { createRecordedPrometheusSource } from '../src/sources/prometheus/recorded-prometheus.ts';

const [directory = '', recordedAt = '0'] = process.argv.slice(2);
const recordedAtMs = Number(recordedAt);
const MINUTE_MS = 60_000;

const data = mkdtempSync(join(tmpdir(), 'patrold-bench-'));
const db = openDatabase({ path: join(data, 'patrold.db') });
const clock = { ...systemClock, nowMs: () => recordedAtMs };
const newId = createIds(systemClock.nowMs);
const essentials = { clock, newId, logger: createLogger({ level: 'error', clock }) };
const stores = openStores(db, newId, new Set(detectors.map(({ type }) => type)));
const source = createRecordedPrometheusSource({
  id: 'metrics',
  directory,
  recordedAtMs,
  clock,
  state: stores.sources.stateOf('metrics'),
});
const settings: PatrolSettings = {
  sources: [{ source, timeoutMs: MINUTE_MS, keepsHistory: true }],
  detectors,
  limits: createLimitResolver(noSettings),
  sameAs: [],
  tags: {},
  isAccepted: () => false,
  windowsMs: { cpu: [15 * MINUTE_MS], memory: [15 * MINUTE_MS], temperature: [5 * MINUTE_MS] },
  model: null,
  quiet: 'look',
  runTimeoutMs: 10 * MINUTE_MS,
  keepResolvedMs: 1,
  keepRunsMs: 1,
};
const begun = performance.now();
const cpuBefore = process.cpuUsage();
const patrol = createPatrol(essentials, stores, settings, () => undefined);
const { report } = await runOnce(
  { essentials, stores, patrol },
  { kind: 'patrol', scope: null, onEvent: () => undefined, signal: new AbortController().signal },
);
const seconds = (performance.now() - begun) / 1000;
const cpu = process.cpuUsage(cpuBefore);
const cpuSeconds = (cpu.user + cpu.system) / 1e6;
// Of this process alone, in bytes: getrusage's maximum resident set.
const peakBytes = process.resourceUsage().maxRSS * 1024;
process.stdout.write(
  `${JSON.stringify({ seconds, cpuSeconds, peakBytes, resources: report.run.coverage?.resources, findings: report.findings.length, status: report.run.status, stages: report.run.stages.filter(({ status }) => status !== 'skipped').map(({ name, durationMs, reason }) => ({ name, durationMs, reason })) })}\n`,
);
db.close();
rmSync(data, { recursive: true });
