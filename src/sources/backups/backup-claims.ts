/** Whose backups these are: the resources that the operator named, or the machine that patrold runs on. */
import { claimDefaults, hint, proof, type ResourceClaim } from '../../../signals/claim.ts';
import { asResourceId } from '../../../signals/resource.ts';
import type { BackupConfig } from './backups-config.ts';

const HOST_REF = 'host';

export const refOf = ({ resource }: Pick<BackupConfig, 'resource'>): string =>
  resource === undefined ? HOST_REF : `resource:${resource}`;

export interface LocalHost {
  /** Null: unknown; then the machine is told by its name. */
  readonly machineId: string | null;
  readonly hostname: string;
}

const hostClaim = ({ machineId, hostname }: LocalHost): ResourceClaim => ({
  ...claimDefaults,
  ref: HOST_REF,
  kind: 'host',
  name: hostname,
  keys: [machineId === null ? hint(`hostname:${hostname}`) : proof(`machine-id:${machineId}`)],
  slug: hostname,
  expects: ['backup'],
});

const namedClaim = (resource: string): ResourceClaim => ({
  ...claimDefaults,
  ref: refOf({ resource }),
  kind: 'host',
  name: resource,
  keys: [hint(`backup-of:${resource}`)],
  refersTo: asResourceId(resource),
  status: 'unknown',
  expects: ['backup'],
});

/** One claim for each resource, however many backups it has. */
export const toClaims = (backups: readonly BackupConfig[], host: LocalHost): readonly ResourceClaim[] => {
  const resources = new Set(backups.map(({ resource }) => resource));
  return [...resources].map((resource) => (resource === undefined ? hostClaim(host) : namedClaim(resource)));
};
