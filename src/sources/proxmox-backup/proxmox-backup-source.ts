/** Proxmox Backup Server: its datastores, what is in them, and what keeps them in order. */
import type { ReadingKind } from '../../../signals/reading.ts';
import { createHttpsTransport } from '../proxmox/https-transport.ts';
import { PROXMOX_BACKUP } from '../proxmox/product.ts';
import { createProxmoxReader } from '../proxmox/proxmox-reader.ts';
import { defineSource, type Source } from '../source.ts';
import { probeProxmoxBackup } from './probe-proxmox-backup.ts';
import { type ProxmoxBackupConfig, proxmoxBackupConfigSchema } from './proxmox-backup-config.ts';
import { createShowCertificate } from './show-certificate.ts';
import { type SurveyProxmoxBackupDeps, surveyProxmoxBackup } from './survey-proxmox-backup.ts';

const READS: readonly ReadingKind[] = [
  'storage_state',
  'capacity',
  'upkeep',
  'backup',
  'backup_verification',
  'clock',
  'certificate',
  'smart',
  'temperature',
  'zfs_pool',
];

/** Over the real API, or over recorded answers. */
export const createProxmoxBackupSource = (deps: SurveyProxmoxBackupDeps): Source => ({
  id: deps.id,
  type: 'proxmox-backup',
  survey: (request) => surveyProxmoxBackup(deps, request),
  probe: (signal) => probeProxmoxBackup(createProxmoxReader(deps.transport, signal)),
  close: async () => deps.transport.close(),
});

export const proxmoxBackupSource = defineSource<ProxmoxBackupConfig>({
  type: 'proxmox-backup',
  configSchema: proxmoxBackupConfigSchema,
  reads: READS,
  defaultTimeoutMs: 300_000,
  create: (id, config, { clock, logger, state }) =>
    createProxmoxBackupSource({
      id,
      config,
      clock,
      state,
      transport: createHttpsTransport(config, { product: PROXMOX_BACKUP, clock }),
      showCertificate: createShowCertificate(config),
      onRequests: (requests) => logger.debug({ source: id, requests }, 'requests of a survey'),
    }),
});
