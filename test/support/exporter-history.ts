/** A day in the life of a small server, as Prometheus would have scraped it from all its exporters. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createHistory, type History } from './open-metrics.ts';

const FIXTURES = join(import.meta.dirname, '..', 'fixtures', 'prometheus');
const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;
/** A test that takes its time must not see the history grow stale. */
const AHEAD_MS = 10 * MINUTE_MS;
const SCRAPE_MS = 15_000;

const exporterPage = (name: string): string => readFileSync(join(FIXTURES, `${name}.prom`), 'utf8');

export const TARGETS = {
  node: { job: 'node', instance: 'nas1:9100' },
  smartctl: { job: 'smartctl', instance: 'nas1:9633' },
  cadvisor: { job: 'cadvisor', instance: 'nas1:8080' },
  systemd: { job: 'systemd', instance: 'nas1:9558' },
  zfs: { job: 'zfs', instance: 'nas1:9134' },
  web: { job: 'blackbox', instance: 'https://web.example/' },
  ping: { job: 'ping', instance: '192.0.2.7' },
} as const;

const labelled = (name: string, labels: Readonly<Record<string, string>>): string =>
  `${name}{${Object.entries(labels)
    .map(([label, value]) => `${label}="${value}"`)
    .join(',')}}`;

/** `nowMs` rounded to whole seconds is what the figures are about. */
export const exporterHistory = (nowMs: number): History => {
  const now = Math.floor(nowMs / 1000) * 1000;
  const toMs = now + AHEAD_MS;
  const history = createHistory({ fromMs: now - 2 * HOUR_MS, toMs, stepMs: SCRAPE_MS });
  for (const name of ['node', 'smartctl', 'cadvisor', 'systemd', 'zfs'] as const)
    history.page(exporterPage(name), TARGETS[name]);
  history.page(exporterPage('blackbox'), TARGETS.web);
  for (const labels of Object.values(TARGETS)) history.add(labelled('up', labels), 1);
  const { node, smartctl, systemd, web, ping } = TARGETS;
  const bootedAtS = now / 1000 - 90_000;
  history.add(labelled('node_boot_time_seconds', node), bootedAtS);
  // Two CPUs: one idles, the other is busy in the last 10 minutes only.
  const busySince = now - 10 * MINUTE_MS;
  const busyS = (atMs: number): number => Math.max(0, atMs - busySince) / 1000;
  const aliveS = (atMs: number): number => (atMs - (now - 3 * HOUR_MS)) / 1000;
  history.add(labelled('node_cpu_seconds_total', { ...node, cpu: '0', mode: 'idle' }), aliveS);
  history.add(labelled('node_cpu_seconds_total', { ...node, cpu: '0', mode: 'user' }), 0);
  history.add(
    labelled('node_cpu_seconds_total', { ...node, cpu: '1', mode: 'idle' }),
    (atMs) => aliveS(atMs) - busyS(atMs),
  );
  history.add(labelled('node_cpu_seconds_total', { ...node, cpu: '1', mode: 'user' }), busyS);
  // 12 GB available, 4 GB in the last 5 of 15 minutes; an ARC of 5 GB, of which 4 can be given back.
  history.add(labelled('node_memory_MemAvailable_bytes', node), (atMs) => (atMs > now - 5 * MINUTE_MS ? 4e9 : 12e9));
  history.add(labelled('node_zfs_arc_size', node), 5e9);
  history.add(labelled('node_vmstat_oom_kill', node), (atMs) => (atMs > now - 30 * MINUTE_MS ? 5 : 3));
  history.add(labelled('node_timex_offset_seconds', node), (atMs) => 0.4 - (atMs - (now - HOUR_MS)) / HOUR_MS / 10);
  history.add(
    labelled('node_edac_correctable_errors_total', { ...node, controller: '1' }),
    (atMs) => (atMs > now - HOUR_MS ? 7 : 2),
    {
      fromMs: now - 2 * DAY_MS,
      stepMs: 4 * MINUTE_MS,
    },
  );
  history.add(labelled('node_hwmon_temp_celsius', { ...node, chip: 'nvme_nvme0', sensor: 'temp1' }), (atMs) =>
    atMs > now - 2.5 * MINUTE_MS ? 70 : 50,
  );
  addFilesystemPast(history, now, toMs);
  addPoolPast(history, now, toMs);
  history.add(
    labelled('smartctl_device_attribute', {
      attribute_flags_long: 'prefailure,updated_online,auto_keep',
      attribute_flags_short: 'PO--CK',
      attribute_id: '5',
      attribute_name: 'Reallocated_Sector_Ct',
      attribute_value_type: 'raw',
      device: 'sda',
      ...smartctl,
    }),
    (atMs) => (atMs > now - 2 * DAY_MS ? 24 : 8),
    { fromMs: now - 8 * DAY_MS, stepMs: 5 * MINUTE_MS - 1000 },
  );
  history.add(labelled('smartctl_device_media_errors', { ...smartctl, device: 'nvme0' }), 4);
  for (const [state, value] of [
    ['active', 0],
    ['failed', 1],
  ] as const) {
    const unit = { name: 'backup.service', type: 'service', state, ...systemd };
    history.add(labelled('systemd_unit_state', unit), (atMs) => (atMs > now - 20 * MINUTE_MS ? value : 1 - value));
  }
  history.add(labelled('systemd_service_restart_total', { name: 'worker.service', ...systemd }), (atMs) =>
    Math.max(0, Math.floor((atMs - (now - 10 * MINUTE_MS)) / MINUTE_MS)),
  );
  history.add(labelled('probe_success', web), 0);
  history.add(labelled('probe_http_status_code', web), 503);
  history.add(labelled('probe_ssl_earliest_cert_expiry', web), now / 1000 + 12 * 86_400);
  history.add(
    labelled('probe_ssl_last_chain_info', {
      ...web,
      fingerprint_sha256: 'ab12',
      issuer: 'CN=R11',
      subject: 'CN=web.example',
      subjectalternative: 'web.example',
    }),
    1,
  );
  history.add(labelled('probe_success', ping), 1);
  history.add(labelled('probe_icmp_duration_seconds', { ...ping, phase: 'rtt' }), 0.002);
  history.add(labelled('probe_duration_seconds', ping), 0.003);
  return history;
};

/** The pool is three quarters full, and has been so for days. */
const addPoolPast = (history: History, now: number, toMs: number): void => {
  const labels = { pool: 'tank', ...TARGETS.zfs };
  const span = { fromMs: now - 4 * DAY_MS, toMs, stepMs: 4 * MINUTE_MS };
  history.add(labelled('zfs_pool_size_bytes', labels), 8e12, span);
  history.add(labelled('zfs_pool_allocated_bytes', labels), 6e12, span);
  history.add(labelled('zfs_pool_free_bytes', labels), 2e12, span);
};

/** `/srv` grows by 1 GB an hour up to 80 GB of 100, and was not scraped for six hours, two days ago; it turned read-only. */
const addFilesystemPast = (history: History, now: number, toMs: number): void => {
  const labels = { device: '/dev/md0', fstype: 'xfs', mountpoint: '/srv', ...TARGETS.node };
  const span = { fromMs: now - 4 * DAY_MS, toMs, stepMs: 4 * MINUTE_MS };
  const seen = (atMs: number): boolean => atMs < now - 54 * HOUR_MS || atMs > now - 48 * HOUR_MS;
  const freeBytes = (atMs: number): number => 20e9 + ((now - atMs) / HOUR_MS) * 1e9;
  history.add(labelled('node_filesystem_size_bytes', labels), (atMs) => (seen(atMs) ? 2e11 : null), span);
  history.add(
    labelled('node_filesystem_free_bytes', labels),
    (atMs) => (seen(atMs) ? Math.round(freeBytes(atMs)) : null),
    span,
  );
  history.add(
    labelled('node_filesystem_avail_bytes', labels),
    (atMs) => (seen(atMs) ? Math.round(freeBytes(atMs)) : null),
    span,
  );
  history.add(labelled('node_filesystem_readonly', labels), (atMs) => (atMs > now - 3 * HOUR_MS ? 1 : 0), span);
};
