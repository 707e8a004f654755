/** Every kind of source there is. */
import { backupsSource } from './backups/backups-source.ts';
import { checksSource } from './checks/checks-source.ts';
import { dockerSource } from './docker/docker-source.ts';
import { hostSource } from './host/host.ts';
import { prometheusSource } from './prometheus/prometheus-source.ts';
import { proxmoxBackupSource } from './proxmox-backup/proxmox-backup-source.ts';
import { proxmoxVeSource } from './proxmox-ve/proxmox-ve-source.ts';

/** Those that stand under `sources:` in the config, as many of each as there are. */
export const sourceDefinitions = [
  hostSource,
  prometheusSource,
  dockerSource,
  proxmoxVeSource,
  proxmoxBackupSource,
] as const;

/** Those with a section of their own in the config, called as their type; one of each. */
export const sectionDefinitions = [checksSource, backupsSource] as const;
