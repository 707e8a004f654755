/** Proxmox VE: a cluster, or a node on its own, with what runs on it. */
import type { ReadingKind } from '../../../signals/reading.ts';
import { createHttpsTransport } from '../proxmox/https-transport.ts';
import { PROXMOX_VE } from '../proxmox/product.ts';
import { createProxmoxReader } from '../proxmox/proxmox-reader.ts';
import { defineSource, type Source } from '../source.ts';
import { probeProxmoxVe } from './probe-proxmox-ve.ts';
import { type ProxmoxVeConfig, proxmoxVeConfigSchema } from './proxmox-ve-config.ts';
import { type SurveyProxmoxVeDeps, surveyProxmoxVe } from './survey-proxmox-ve.ts';

const READS: readonly ReadingKind[] = [
  'quorum',
  'node_state',
  'guest_state',
  'storage_state',
  'cpu',
  'memory',
  'capacity',
  'smart',
  'temperature',
  'zfs_pool',
  'thin_pool',
  'certificate',
  'clock',
  'snapshots',
  'backup',
  'backup_volumes',
  'replication',
  'ceph',
  'probe',
];

/** Over the real API, or over recorded answers. */
export const createProxmoxVeSource = (deps: SurveyProxmoxVeDeps): Source => ({
  id: deps.id,
  type: 'proxmox-ve',
  survey: (request) => surveyProxmoxVe(deps, request),
  probe: (signal) => probeProxmoxVe(createProxmoxReader(deps.transport, signal)),
  close: async () => deps.transport.close(),
});

export const proxmoxVeSource = defineSource<ProxmoxVeConfig>({
  type: 'proxmox-ve',
  configSchema: proxmoxVeConfigSchema,
  reads: READS,
  defaultTimeoutMs: 120_000,
  create: (id, config, { clock, logger, state }) =>
    createProxmoxVeSource({
      id,
      config,
      clock,
      state,
      transport: createHttpsTransport(config, { product: PROXMOX_VE, clock }),
      onRequests: (requests) => logger.debug({ source: id, requests }, 'requests of a survey'),
    }),
});
