/** What every area of a survey reads from and adds to. */
import type { Clock } from '../../runtime/clock.ts';
import type { ProxmoxReader } from '../proxmox/proxmox-reader.ts';
import type { Rights } from '../proxmox/rights.ts';
import type { SightingBuilder } from '../sighting-builder.ts';
import type { SourceState, SurveyRequest } from '../source.ts';
import type { Estate } from './estate.ts';
import type { ClusterIdentity } from './identity-keys.ts';
import type { ProxmoxVeConfig } from './proxmox-ve-config.ts';
import type { StorageConfig } from './storage-configs.ts';
import type { RecentTasks } from './tasks.ts';

export interface VeWorld {
  readonly sourceId: string;
  readonly config: ProxmoxVeConfig;
  readonly request: SurveyRequest;
  readonly clock: Pick<Clock, 'nowMs'>;
  readonly state: SourceState;
  readonly ask: ProxmoxReader;
  readonly out: SightingBuilder;
  readonly version: string;
  readonly rights: Rights;
  readonly estate: Estate;
  readonly identity: ClusterIdentity;
  readonly tasks: RecentTasks;
  readonly storageConfigs: ReadonlyMap<string, StorageConfig>;
}

/** One part of what a cluster tells. It never rejects: what it can't read is a gap. */
export interface VeArea {
  /** The file's name. */
  readonly name: string;
  read(world: VeWorld): Promise<void>;
}
