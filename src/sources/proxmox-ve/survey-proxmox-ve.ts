/** One survey of one cluster: its lists first, then what is due or looks suspect. */
import type { Clock } from '../../runtime/clock.ts';
import { PatroldError } from '../../runtime/errors.ts';
import type { ProxmoxRead } from '../proxmox/proxmox-failure.ts';
import { createProxmoxReader, type ProxmoxList, type ProxmoxReader } from '../proxmox/proxmox-reader.ts';
import type { ProxmoxTransport } from '../proxmox/proxmox-transport.ts';
import { allRights, createRights, describeRight, permissionsSchema, type Rights } from '../proxmox/rights.ts';
import { createSightingBuilder } from '../sighting-builder.ts';
import type { Sighting, SourceState, SurveyRequest } from '../source.ts';
import { type ClusterStatusItem, clusterStatusItem, resourceItem, versionSchema } from './answers.ts';
import { areas } from './areas/index.ts';
import { buildEstate, type Estate, rootRef } from './estate.ts';
import { clusterNameOf } from './identity-keys.ts';
import type { ProxmoxVeConfig } from './proxmox-ve-config.ts';
import { missingRights } from './rights.ts';
import { readRootCa } from './root-ca.ts';
import { readStorageConfigs } from './storage-configs.ts';
import { readRecentTasks } from './tasks.ts';
import type { VeWorld } from './world.ts';

export interface SurveyProxmoxVeDeps {
  readonly id: string;
  readonly config: ProxmoxVeConfig;
  readonly clock: Pick<Clock, 'nowMs'>;
  readonly state: SourceState;
  readonly transport: ProxmoxTransport;
  /** Hears how many requests a survey took. */
  readonly onRequests?: (count: number) => void;
}

/** Throws where without the answer there is nothing to survey. */
const must = <T>(read: ProxmoxRead<T>): T => {
  if (read.ok) return read.value;
  throw new PatroldError('source_not_answering', read.failure.reason);
};

/** Throws `source_not_answering`. */
export const readVersion = async (ask: ProxmoxReader): Promise<string> =>
  must(await ask.get('/version', versionSchema)).version;

const readRights = async (ask: ProxmoxReader): Promise<Rights> => {
  const read = await ask.get('/access/permissions', permissionsSchema);
  return read.ok ? createRights(read.value) : allRights;
};

/** Nobody may read it without Sys.Audit; the nodes are known without it as well. */
const readStatus = async (ask: ProxmoxReader): Promise<ProxmoxRead<ProxmoxList<ClusterStatusItem>>> =>
  ask.list('/cluster/status', clusterStatusItem);

interface Lists {
  readonly estate: Estate;
  readonly dropped: string | null;
  readonly statusFailure: string | null;
}

const readLists = async (ask: ProxmoxReader): Promise<Lists> => {
  const [status, resources] = await Promise.all([readStatus(ask), ask.list('/cluster/resources', resourceItem)]);
  const { items, dropped, droppedBecause } = must(resources);
  const members = status.ok ? status.value.items : [];
  return {
    estate: buildEstate(members, items),
    dropped: dropped === 0 ? null : `${dropped} entries of /cluster/resources could not be read: ${droppedBecause}`,
    statusFailure: status.ok ? null : status.failure.reason,
  };
};

/** Throws `source_not_answering` where not even the lists can be read. */
export const surveyProxmoxVe = async (deps: SurveyProxmoxVeDeps, request: SurveyRequest): Promise<Sighting> => {
  const { id, config, clock, state, transport } = deps;
  const ask = createProxmoxReader(transport, request.signal);
  const version = await readVersion(ask);
  const [rights, { estate, dropped, statusFailure }] = await Promise.all([readRights(ask), readLists(ask)]);
  const name = clusterNameOf(estate);
  const identity = { rootCa: await readRootCa(ask, estate, name, state), name };
  const out = createSightingBuilder('Proxmox VE');
  const storageConfigs = await readStorageConfigs({ ask, state, request });
  const tasks = await readRecentTasks(ask, rights);
  const told = { version, rights, estate, identity, storageConfigs, tasks };
  const world: VeWorld = { sourceId: id, config, request, clock, state, ask, out, ...told };
  for (const area of areas) await area.read(world);
  const root = rootRef(estate);
  if (dropped !== null) out.gap({ ref: root, reads: ['node_state'], code: 'malformed', reason: dropped });
  if (statusFailure !== null) out.gap({ ref: root, reads: ['quorum'], code: 'failed', reason: statusFailure });
  tellMissingRights(world, root);
  request.signal.throwIfAborted();
  deps.onRequests?.(ask.requests());
  const sighting = out.build();
  return dropped === null ? sighting : { ...sighting, listed: [] };
};

/** Said once, by name; what it hides is absent from lists that then do not count as whole. */
const tellMissingRights = ({ rights, out, ask }: VeWorld, root: string | null): void => {
  const missing = missingRights(rights);
  if (missing.length === 0) return;
  const names = missing.map(describeRight).join(', ');
  const reason = `the token of ${ask.origin()} lacks ${names}: give its user, and the token where privileges are separated, the role PVEAuditor on /`;
  out.gap({ ref: root, reads: ['node_state'], code: 'failed', reason });
};
