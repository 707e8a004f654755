/** What every area of a survey reads from and adds to. */
import type { PeerTls } from '../../runtime/http-tls.ts';
import type { SightingBuilder } from '../sighting-builder.ts';
import type { Asking } from './asking.ts';
import type { BackupStore } from './backup-store.ts';
import type { HostAnswers } from './host-answers.ts';
import type { ProxmoxBackupConfig } from './proxmox-backup-config.ts';
import type { BackupServer } from './server.ts';
import type { BackupTasks } from './tasks.ts';

/** Shows the certificate that an endpoint presents; null: none of them answers. */
export type ShowCertificate = (signal: AbortSignal) => Promise<PeerTls | null>;

export interface PbsWorld extends Asking {
  readonly config: ProxmoxBackupConfig;
  readonly out: SightingBuilder;
  readonly server: BackupServer;
  readonly host: HostAnswers;
  readonly stores: readonly BackupStore[];
  readonly tasks: BackupTasks;
  /** Null: there is no connection, as with recordings. */
  readonly showCertificate: ShowCertificate | null;
}

/** One part of what a backup server tells. It never rejects: what it can't read is a gap. */
export interface PbsArea {
  /** The file's name. */
  readonly name: string;
  read(world: PbsWorld): Promise<void>;
}

export const HOST_REF = 'server';
