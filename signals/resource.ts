/** What patrold watches: things with an identity that outlives renames, restarts and migrations. */

declare const resourceIdBrand: unique symbol;

/**
 * Identity of a resource, minted once by the resolver in `identity.ts` and kept for its whole life.
 * Readable by people (`nas1`, `nas1/disk/wwn-5000c500a1b2c3d4`, `docker/container/web`); never parsed by code.
 */
export type ResourceId = string & { readonly [resourceIdBrand]: 'ResourceId' };

/** Brands a string that is already known to be a resource id: read back from the store, or minted by the resolver. */
export const asResourceId = (value: string): ResourceId => value as ResourceId;

/** Id of a configured source, as the operator wrote it in `sources[].id`. */
export type SourceId = string;

export const RESOURCE_KINDS = [
  'cluster',
  'node',
  'host',
  'vm',
  'container',
  'storage',
  'pool',
  'filesystem',
  'array',
  'disk',
  'datastore',
  'service',
  'endpoint',
  'source',
  'patrold',
] as const;
export type ResourceKind = (typeof RESOURCE_KINDS)[number];

/** The one status vocabulary. `unknown` is an answer too: the source does not say. */
export const RESOURCE_STATUSES = ['running', 'stopped', 'paused', 'starting', 'degraded', 'failed', 'unknown'] as const;
export type ResourceStatus = (typeof RESOURCE_STATUSES)[number];

export const isGuest = (kind: ResourceKind): boolean => kind === 'vm' || kind === 'container';

/** A resource as one run sees it, after every source's claims about it were joined. */
export interface Resource {
  readonly id: ResourceId;
  readonly kind: ResourceKind;
  /** What people call it; may change from run to run. */
  readonly name: string;
  readonly parentId: ResourceId | null;
  readonly status: ResourceStatus;
  /** The sources that see it, or saw it last, in config order. */
  readonly sourceIds: readonly SourceId[];
  /** From the config and from the sources (labels, guest tags), sorted. */
  readonly tags: readonly string[];
  /** Reading kinds that some source undertakes to deliver for it: what is expected and absent is unobserved. */
  readonly expects: readonly string[];
  /** Small, non-measured properties that detectors need for scope (`fsType`, `rotational`, `deviceClass`). */
  readonly facts: Facts;
  /**
   * Whether this run has it from a source, or only the inventory remembers it because its source did not answer
   * (then nothing is known about it now, and every check of it is unobserved).
   */
  readonly presence: 'observed' | 'remembered';
}

export type Facts = Readonly<Record<string, string | number | boolean>>;
