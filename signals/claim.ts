/** What a source says a thing is, so that the resolver in `identity.ts` can tell which resource it means. */
import type { ReadingKind } from './reading.ts';
import type { Facts, ResourceId, ResourceKind, ResourceStatus, SourceId } from './resource.ts';

/**
 * One name of a thing: `<namespace>:<value>`, such as `disk-wwn:5000c500a1b2c3d4` or `fs-mount:/srv`.
 *
 * - `scope: 'parent'` means unique within the parent only (a mount point), `'world'` everywhere (a WWN).
 * - `strength: 'proof'`: two things with different values in this namespace are different things.
 *   `'hint'`: joins only where no proof speaks against it, and moves on to another thing when that one proves itself.
 */
export interface IdentityKey {
  readonly key: string;
  readonly scope: 'world' | 'parent';
  readonly strength: 'proof' | 'hint';
}

/** One thing as one source sees it. `ref` is the source's own handle, unique within its survey. */
export interface ResourceClaim {
  readonly ref: string;
  readonly kind: ResourceKind;
  readonly name: string;
  readonly parentRef: string | null;
  /** Strongest first; empty only where it attaches to another thing. */
  readonly keys: readonly IdentityKey[];
  /** What a new id is minted from, where the name is not stable enough for that (a disk: its serial, not `sda`). */
  readonly slug: string | null;
  /**
   * The operator named an existing resource for these readings (a check's `resource:`): they attach to it, and the
   * claim makes a resource of its own only while no such resource is known.
   */
  readonly refersTo: ResourceId | null;
  /** Names under which claims that attach (`attachesTo`) find it. Unlike keys they never make two things one. */
  readonly answersTo: readonly string[];
  /**
   * Its readings are about whatever one thing answers to one of these names in this run, and about nothing where none
   * does, or several: the claim is then reported as unattributed. Null: a thing of its own.
   */
  readonly attachesTo: readonly string[] | null;
  readonly status: ResourceStatus;
  readonly tags: readonly string[];
  /** Reading kinds the source undertakes to deliver for it in every survey in which they are due. */
  readonly expects: readonly ReadingKind[];
  readonly facts: Facts;
}

/** The claims of one source's survey. Order of sources is the config's. */
export interface SourceClaims {
  readonly sourceId: SourceId;
  readonly claims: readonly ResourceClaim[];
  /** False where it failed, saw only part of its things, or was not asked: what it said of the rest still stands. */
  readonly whole?: boolean;
}

/** What a claim leaves out. */
export const claimDefaults = {
  parentRef: null,
  slug: null,
  refersTo: null,
  answersTo: [],
  attachesTo: null,
  status: 'running',
  tags: [],
  expects: [],
  facts: {},
} as const satisfies Partial<ResourceClaim>;

export const proof = (key: string, scope: IdentityKey['scope'] = 'world'): IdentityKey => ({
  key,
  scope,
  strength: 'proof',
});
export const hint = (key: string, scope: IdentityKey['scope'] = 'world'): IdentityKey => ({
  key,
  scope,
  strength: 'hint',
});
