/** Disks: who they are, and once an hour how they are. */
import { posix } from 'node:path';
import { z } from 'zod';
import type { ResourceClaim } from '../../../signals/claim.ts';
import type { TemperatureReading } from '../../../signals/reading.ts';
import type { Gap, SurveyedReading } from '../../../signals/survey.ts';
import type { BlockDisk } from './block-disks.ts';
import type { Trouble } from './command-trouble.ts';
import { blockDiskClaim, diskRef, identityOf, raidDiskClaim } from './disk-claims.ts';
import { diskClass } from './disk-kind.ts';
import { readDiskTemperatures } from './disk-temperatures.ts';
import { type Collector, HOST_REF, type HostContext } from './host-context.ts';
import { NOTHING, part } from './part.ts';
import { askSmart } from './smart-asker.ts';
import { type SmartIdentity, smartIdentity, smartIdentitySchema } from './smart-identity.ts';
import { smartReading } from './smart-reading.ts';
import type { SmartReport } from './smart-schema.ts';
import { blockTarget, hasSmart, raidTargets, type SmartTarget, scanRaidDisks } from './smart-target.ts';
import { smartTemperature } from './smart-temperature.ts';

const STATE_KEY = 'disks';
const rememberedSchema = z.object({
  /** By key and what the kernel says of it, so that another disk in the same place is not taken for it. */
  identities: z.record(z.string(), smartIdentitySchema),
  raid: z.array(z.object({ device: z.string(), type: z.string() })),
});
type Remembered = z.infer<typeof rememberedSchema>;

const NOT_DUE: Trouble = { code: 'not_due', reason: 'disks are asked for their health once an hour' };

interface Asked {
  readonly target: SmartTarget;
  readonly disk: BlockDisk | null;
  readonly answer: SmartReport | Trouble;
  readonly identity: SmartIdentity | null;
}

export const collectDisks: Collector = async (host) => {
  if (host.environment.container !== null) return NOTHING;
  const isDue = host.request.paces.includes('hourly');
  const before = rememberedSchema.safeParse(host.state.get(STATE_KEY)).data ?? { identities: {}, raid: [] };
  const disks = host.disks.filter((disk) => !isIgnored(host, disk, before));
  const scanned = (isDue ? await scanRaidDisks(host) : null) ?? before.raid;
  const targets = [
    ...disks.filter(hasSmart).map((disk) => ({ target: blockTarget(disk), disk })),
    ...raidTargets([...host.config.raidDisks, ...scanned]).map((target) => ({ target, disk: null })),
  ];
  const asked = await Promise.all(targets.map((target) => ask(host, target, before, isDue)));
  host.state.set(STATE_KEY, remember(asked, before));
  const blocks = disks.map((disk) => blockDiskClaim(disk, asked.find((one) => one.disk === disk)?.identity ?? null));
  const raid = withoutKnown(
    blocks,
    asked.filter(({ disk }) => disk === null).map((one) => raidDiskClaim(one)),
  );
  const temperatures = await readDiskTemperatures(host, disks, new Map(asked.flatMap(temperatureOf)));
  return part({
    claims: [...blocks, ...raid],
    additions: temperatures.additions,
    readings: [...asked.flatMap((one) => readingsOf(host, one)), ...temperatures.readings],
    gaps: [
      ...asked.flatMap(gapsOf),
      ...temperatures.gaps,
      ...(host.disksTrouble === null ? [] : [{ ref: HOST_REF, reads: ['smart' as const], ...host.disksTrouble }]),
    ],
    listed: host.disksTrouble === null ? [{ kind: 'disk', parentRef: HOST_REF }] : [],
  });
};

const ask = async (
  host: HostContext,
  { target, disk }: Pick<Asked, 'target' | 'disk'>,
  before: Remembered,
  isDue: boolean,
): Promise<Asked> => {
  const answer = isDue ? await askSmart(host, target) : NOT_DUE;
  const identity = isReport(answer) ? smartIdentity(answer) : (before.identities[memoryKey(target, disk)] ?? null);
  return { target, disk, answer, identity };
};

const isReport = (answer: SmartReport | Trouble): answer is SmartReport => 'smartctl' in answer;

const memoryKey = ({ key }: SmartTarget, disk: BlockDisk | null): string =>
  disk === null ? key : `${key}|${disk.sizeBytes}|${disk.model ?? ''}|${disk.wwid ?? disk.serial ?? ''}`;

const remember = (asked: readonly Asked[], before: Remembered): Remembered => ({
  identities: Object.fromEntries(
    asked.flatMap(({ target, disk, identity }) => (identity === null ? [] : [[memoryKey(target, disk), identity]])),
  ),
  raid: asked.flatMap(({ target, disk }) =>
    disk === null && target.type !== null ? [{ device: target.path, type: target.type }] : [],
  ) satisfies typeof before.raid,
});

const isIgnored = ({ config }: HostContext, disk: BlockDisk, before: Remembered): boolean => {
  const known = before.identities[memoryKey(blockTarget(disk), disk)] ?? null;
  const { model, serial } = identityOf(disk, known);
  const names = [disk.name, model, serial].filter((name) => name !== null);
  return config.ignoreDisks.some((glob) => names.some((name) => posix.matchesGlob(name.replaceAll('/', '-'), glob)));
};

/** Some controllers show their disks to the kernel as well. */
const withoutKnown = (blocks: readonly ResourceClaim[], raid: readonly ResourceClaim[]): readonly ResourceClaim[] => {
  const known = new Set(
    blocks.flatMap(({ keys }) => keys.filter(({ scope }) => scope === 'world').map(({ key }) => key)),
  );
  return raid.filter(({ keys }) => !keys.some(({ key }) => known.has(key)));
};

const readingsOf = ({ clock }: HostContext, { target, answer }: Asked): readonly SurveyedReading[] =>
  isReport(answer)
    ? [{ ...smartReading(answer, target.rotational), ref: diskRef(target.key), takenAtMs: clock.nowMs() }]
    : [];

const temperatureOf = ({ target, disk, answer }: Asked): readonly (readonly [string, TemperatureReading])[] => {
  if (!isReport(answer)) return [];
  const rotational = (answer.rotation_rate ?? (target.rotational ? 1 : 0)) > 0;
  const reading = smartTemperature(answer, diskClass(disk?.transport ?? 'scsi', rotational));
  return reading === null ? [] : [[target.key, reading]];
};

const gapsOf = ({ target, answer }: Asked): readonly Gap[] =>
  isReport(answer) ? [] : [{ ref: diskRef(target.key), reads: ['smart'], ...answer }];
