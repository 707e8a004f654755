/** Mounted file systems: which are watched, how full they are, and whether they can still be written. */
import { z } from 'zod';
import { claimDefaults, hint, proof, type ResourceClaim } from '../../../signals/claim.ts';
import type { Gap, SurveyedReading } from '../../../signals/survey.ts';
import { cleanText } from '../../runtime/text.ts';
import { filesystemType, isNetworked, magicFits } from './filesystem-types.ts';
import { createUuidFinder } from './filesystem-uuid.ts';
import { type Collector, HOST_REF, type HostContext } from './host-context.ts';
import type { SpaceAnswer, SpaceAsker } from './mount-space.ts';
import { isReadOnly, type Mount } from './mountinfo.ts';
import { NOTHING, type Part, part } from './part.ts';
import type { MountSpace } from './root-reader.ts';
import { watchedMountsOf } from './watched-mounts.ts';

const STATE_KEY = 'writable-mounts';
const NAME_CHARACTERS = 512;

interface Seen {
  readonly mount: Mount;
  readonly uuid: string | null;
  readonly answer: SpaceAnswer;
}

export const createFilesystemsCollector =
  (asker: SpaceAsker): Collector =>
  async (host) => {
    const seenWritable = new Set(z.array(z.string()).safeParse(host.state.get(STATE_KEY)).data ?? []);
    const scope = await watchedMountsOf(host, seenWritable);
    if (scope.kind === 'unread') return { ...NOTHING, gaps: [scope.gap] };
    const finder = createUuidFinder(host.reader);
    const seen = await Promise.all(
      scope.mounts.map(async (mount) => {
        const remote = filesystemType(mount.fsType)?.remote ?? true;
        const question = { mountPoint: mount.mountPoint, remote };
        const [uuid, answer] = await Promise.all([finder.find(mount), asker.ask(question, host.request.signal)]);
        return { mount, uuid, answer };
      }),
    );
    const writable = scope.mounts.filter((mount) => !isReadOnly(mount) || seenWritable.has(mount.mountPoint));
    host.state.set(
      STATE_KEY,
      writable.map(({ mountPoint }) => mountPoint),
    );
    const parts = seen.map((entry) => describe(host, entry, seen));
    return part({
      claims: parts.map(({ claim }) => claim),
      readings: parts.flatMap(({ reading }) => reading),
      gaps: [...scope.gaps, ...parts.flatMap(({ gap }) => gap)],
      listed: scope.gaps.length === 0 ? [{ kind: 'filesystem', parentRef: HOST_REF }] : [],
    });
  };

interface Described {
  readonly claim: ResourceClaim;
  readonly reading: readonly SurveyedReading[];
  readonly gap: Part['gaps'];
}

const describe = (host: HostContext, entry: Seen, all: readonly Seen[]): Described => {
  const { mount, answer } = entry;
  const claim = claimOf(entry, all);
  const gap = (code: Gap['code'], reason: string): Described => ({
    claim,
    reading: [],
    gap: [{ ref: claim.ref, reads: ['filesystem'], code, reason }],
  });
  if (answer.kind === 'none') return gap(answer.code, answer.reason);
  const { space } = answer;
  if (!isOf(mount, space)) return gap('not_permitted', elsewhere(mount.mountPoint, host.reader.root));
  if (space.sizeBytes <= 0) return gap('malformed', `${mount.mountPoint} reports no size`);
  return { claim, reading: [{ ...readingOf(mount, space), ref: claim.ref, takenAtMs: host.clock.nowMs() }], gap: [] };
};

/** What the path leads to may be something else, where patrold has a mount namespace of its own. */
const isOf = (mount: Mount, { magic, device }: MountSpace): boolean => {
  if (!magicFits(mount.fsType, magic)) return false;
  // Without a block device of its own the superblock's number and that of its files may differ (btrfs).
  return device === null || mount.device.startsWith('0:') || device === mount.device;
};

const elsewhere = (mountPoint: string, root: string): string =>
  root === '/'
    ? `patrold sees something else at ${mountPoint}: its service's sandbox hides it (ProtectHome=, InaccessiblePaths=)`
    : `patrold sees something else at ${root}${mountPoint}: mount the machine's root with its mounts (\`:ro,rslave\`)`;

const readingOf = (mount: Mount, space: MountSpace) => {
  const hasInodes = space.inodesTotal > 0 && space.inodesFree <= space.inodesTotal;
  return {
    kind: 'filesystem' as const,
    sizeBytes: space.sizeBytes,
    usedBytes: Math.max(0, space.sizeBytes - space.freeBytes),
    // Overdrawn reserves show up as an enormous number in some file systems.
    availableBytes: space.availableBytes <= space.sizeBytes ? space.availableBytes : 0,
    inodesTotal: hasInodes ? space.inodesTotal : null,
    inodesFree: hasInodes ? space.inodesFree : null,
    superblockReadOnly: isReadOnly(mount),
  };
};

const claimOf = ({ mount, uuid }: Seen, all: readonly Seen[]): ResourceClaim => {
  const name = cleanText(mount.mountPoint, NAME_CHARACTERS);
  // A snapshot or a clone has its origin's UUID: then it proves nothing.
  const isUnique = uuid !== null && all.filter((other) => other.uuid === uuid).length === 1;
  return {
    ...claimDefaults,
    ref: `filesystem:${name}`,
    kind: 'filesystem',
    name,
    parentRef: HOST_REF,
    keys: [...(isUnique ? [proof(`fs-uuid:${uuid}`, 'parent')] : []), hint(`fs-mount:${name}`, 'parent')],
    slug: name,
    status: isReadOnly(mount) ? 'degraded' : 'running',
    expects: ['filesystem'],
    facts: {
      fsType: mount.fsType,
      mountPoint: name,
      device: cleanText(mount.source, NAME_CHARACTERS),
      networked: isNetworked(mount.fsType),
      // Others are not claimed.
      meantWritable: true,
    },
  };
};
