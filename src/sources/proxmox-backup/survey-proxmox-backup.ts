/** One survey of one backup server: its lists first, then what is due or looks suspect. */
import type { Clock } from '../../runtime/clock.ts';
import { PatroldError } from '../../runtime/errors.ts';
import { isDue } from '../proxmox/due.ts';
import { createProxmoxReader, type ProxmoxReader } from '../proxmox/proxmox-reader.ts';
import type { ProxmoxTransport } from '../proxmox/proxmox-transport.ts';
import { allRights, createRights, describeRight, permissionsSchema, type Rights } from '../proxmox/rights.ts';
import { createSightingBuilder } from '../sighting-builder.ts';
import type { Sighting, SourceState, SurveyRequest } from '../source.ts';
import { datastoreItem, type UsageItem, usageItem } from './answers.ts';
import { areas } from './areas/index.ts';
import { type BackupStore, toStore } from './backup-store.ts';
import { readHostAnswers } from './host-answers.ts';
import type { ProxmoxBackupConfig } from './proxmox-backup-config.ts';
import { proxmoxBackupLimits } from './proxmox-backup-limits.ts';
import { missingRights } from './rights.ts';
import { learnName, recallServer } from './server.ts';
import { NO_TASKS, readTasks } from './tasks.ts';
import { HOST_REF, type PbsWorld, type ShowCertificate } from './world.ts';

export interface SurveyProxmoxBackupDeps {
  readonly id: string;
  readonly config: ProxmoxBackupConfig;
  readonly clock: Pick<Clock, 'nowMs'>;
  readonly state: SourceState;
  readonly transport: ProxmoxTransport;
  readonly showCertificate: ShowCertificate | null;
  /** Hears how many requests a survey took. */
  readonly onRequests?: (count: number) => void;
}

const readRights = async (ask: ProxmoxReader): Promise<Rights> => {
  const read = await ask.get('/access/permissions', permissionsSchema);
  if (read.ok) return createRights(read.value);
  // Without credentials that are accepted there is nothing to survey.
  if (read.failure.broken) throw new PatroldError('source_not_answering', read.failure.reason);
  return allRights;
};

interface Stores {
  readonly stores: readonly BackupStore[];
  readonly dropped: string | null;
}

/** The usage of all datastores is one answer. Throws `source_not_answering` without it. */
export const readStores = async (ask: ProxmoxReader, isHourly: boolean): Promise<Stores> => {
  const read = await ask.list('/status/datastore-usage', usageItem);
  if (!read.ok) throw new PatroldError('source_not_answering', read.failure.reason);
  const items = read.value.items.slice(0, proxmoxBackupLimits.datastores);
  const maintenance = await readMaintenance(ask, items, isHourly);
  const cut = read.value.items.length - items.length;
  const dropped =
    read.value.dropped > 0
      ? `${read.value.dropped} entries of /status/datastore-usage could not be read: ${read.value.droppedBecause}`
      : cut > 0
        ? `${cut} datastores over the limit of ${proxmoxBackupLimits.datastores} were left out`
        : null;
  return { stores: items.map((item) => toStore(item, maintenance.get(item.store))), dropped };
};

/** Asked for where it explains something. */
const readMaintenance = async (
  ask: ProxmoxReader,
  items: readonly UsageItem[],
  isHourly: boolean,
): Promise<ReadonlyMap<string, string>> => {
  if (!isHourly && items.every(({ error }) => error === undefined)) return new Map();
  const read = await ask.list('/admin/datastore', datastoreItem);
  const listed = read.ok ? read.value.items : [];
  return new Map(listed.flatMap(({ store, maintenance }) => (maintenance === undefined ? [] : [[store, maintenance]])));
};

/** Throws `source_not_answering` where not even the datastores can be listed. */
export const surveyProxmoxBackup = async (deps: SurveyProxmoxBackupDeps, request: SurveyRequest): Promise<Sighting> => {
  const { config, clock, state, transport, showCertificate } = deps;
  const ask = createProxmoxReader(transport, request.signal);
  const rights = await readRights(ask);
  const isHourly = isDue({ request }, 'hourly');
  const { stores, dropped } = await readStores(ask, isHourly);
  learnName(
    state,
    stores.map(({ usage }) => usage['gc-status']?.upid),
  );
  const asking = { ask, clock, request, rights, state };
  const [host, tasks] = await Promise.all([readHostAnswers(asking), isHourly ? readTasks(asking) : NO_TASKS]);
  const out = createSightingBuilder('Proxmox Backup Server');
  const server = recallServer(config, state);
  const world: PbsWorld = { ...asking, config, out, server, host, stores, tasks, showCertificate };
  for (const area of areas) await area.read(world);
  if (dropped !== null) out.gap({ ref: HOST_REF, reads: ['storage_state'], code: 'malformed', reason: dropped });
  tellMissingRights(world);
  request.signal.throwIfAborted();
  deps.onRequests?.(ask.requests());
  const sighting = out.build();
  return dropped === null ? sighting : { ...sighting, listed: [] };
};

/** Said once, by name; what it hides is absent from lists that then do not count as whole. */
const tellMissingRights = ({ rights, out, ask }: PbsWorld): void => {
  const missing = missingRights(rights);
  if (missing.length === 0) return;
  const names = missing.map(describeRight).join(', ');
  const reason = `the token of ${ask.origin()} lacks ${names}: give its user and the token itself the role Audit on / and RemoteAudit on /remote`;
  out.gap({ ref: HOST_REF, reads: ['storage_state'], code: 'failed', reason });
};
