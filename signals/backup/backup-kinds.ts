/** What backups are made of. */
import type { ResourceKind } from '../resource.ts';

export const BACKUP_KINDS = [
  'host',
  'node',
  'vm',
  'container',
  'storage',
  'pool',
  'filesystem',
  'datastore',
  'service',
  'endpoint',
] as const satisfies readonly ResourceKind[];
