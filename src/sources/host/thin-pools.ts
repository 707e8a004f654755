/** LVM thin pools: sysfs tells which there are, `lvs` how full they are. */
import { z } from 'zod';
import { claimDefaults, hint, proof, type ResourceClaim } from '../../../signals/claim.ts';
import type { ThinPoolReading } from '../../../signals/reading.ts';
import { cleanText } from '../../runtime/text.ts';
import { failureOf, type Trouble, troubleOf } from './command-trouble.ts';
import { type Collector, HOST_REF, type HostContext } from './host-context.ts';
import { parseJson } from './parse-json.ts';
import { NOTHING, part } from './part.ts';
import { namesIn, readLine } from './root-reader.ts';

const POOLS = 64;
const LVS = [
  '--reportformat',
  'json',
  '--units',
  'b',
  '--nosuffix',
  '--options',
  'vg_name,lv_name,data_percent,metadata_percent',
  '--select',
  'segtype=thin-pool',
] as const;
const LVS_REMEDY = 'install lvm2';
const ROOT_ALONE =
  '`lvs` tells the use of thin pools to root alone (CAP_SYS_ADMIN, /dev/mapper/control, /run/lock/lvm)';

interface ThinPool {
  readonly vg: string;
  readonly lv: string;
  readonly uuid: string;
}

const reportSchema = z.object({ report: z.array(z.object({ lv: z.array(z.unknown()) })) });
const percent = z.string().regex(/^\d+(?:[.,]\d+)?$/);
const volumeSchema = z.object({
  vg_name: z.string(),
  lv_name: z.string(),
  data_percent: percent,
  /** Empty while the pool is checked. */
  metadata_percent: z.union([percent, z.literal('')]).optional(),
});

export const collectThinPools: Collector = async (host) => {
  if (host.environment.container !== null) return NOTHING;
  const pools = await findPools(host);
  if (pools.length === 0) return NOTHING;
  const use = await readUse(host);
  const parts = pools.slice(0, POOLS).map((pool) => {
    const claim = claimOf(pool);
    const reading = 'code' in use ? undefined : use.get(`${pool.vg}/${pool.lv}`);
    const missing = { code: 'malformed' as const, reason: `\`lvs\` says nothing of ${pool.vg}/${pool.lv}` };
    return {
      claim,
      readings: reading === undefined ? [] : [{ ...reading, ref: claim.ref, takenAtMs: host.clock.nowMs() }],
      gaps: reading === undefined ? [{ ref: claim.ref, reads: claim.expects, ...('code' in use ? use : missing) }] : [],
    };
  });
  const reason = `more than ${POOLS} thin pools`;
  const cut =
    pools.length > POOLS ? [{ ref: HOST_REF, reads: ['thin_pool' as const], code: 'cut_short' as const, reason }] : [];
  return part({
    claims: parts.map(({ claim }) => claim),
    readings: parts.flatMap(({ readings }) => readings),
    gaps: [...parts.flatMap(({ gaps }) => gaps), ...cut],
  });
};

/** A pool in use has a mapping `<vg>-<lv>-tpool`, whose UUID is `LVM-`, that of the group, that of the volume, `-tpool`. */
const findPools = async ({ reader }: HostContext): Promise<readonly ThinPool[]> => {
  const devices = (await namesIn(reader, '/sys/block')).filter((name) => name.startsWith('dm-'));
  const found = await Promise.all(
    devices.map(async (device) => {
      const uuid = await readLine(reader, `/sys/block/${device}/dm/uuid`);
      const name = await readLine(reader, `/sys/block/${device}/dm/name`);
      const [, ids] = /^LVM-([A-Za-z0-9]{64})-tpool$/.exec(uuid ?? '') ?? [];
      const names = name === null ? null : splitMappingName(name.replace(/-tpool$/, ''));
      return ids === undefined || names === null ? [] : [{ ...names, uuid: ids }];
    }),
  );
  return found.flat();
};

/** One hyphen separates group and volume; hyphens within them are doubled (dmsetup(8), splitname). */
export const splitMappingName = (name: string): { vg: string; lv: string } | null => {
  const [, vg, lv] = /^((?:[^-]|--)+)-((?:[^-]|--)+)$/.exec(name) ?? [];
  return vg === undefined || lv === undefined ? null : { vg: vg.replaceAll('--', '-'), lv: lv.replaceAll('--', '-') };
};

const readUse = async ({ commands }: HostContext): Promise<ReadonlyMap<string, ThinPoolReading> | Trouble> => {
  const result = await commands.run('lvs', LVS);
  const trouble = troubleOf(result, 'lvs', LVS_REMEDY);
  if (trouble !== null || result.kind !== 'exited') return trouble ?? { code: 'failed', reason: '`lvs` did not run' };
  const use = parseLvs(result.stdout);
  if (use !== null && use.size > 0) return use;
  // To others than root it shows an empty list, and a warning.
  const failure = failureOf(result, 'lvs');
  if (failure.code === 'not_permitted') return { ...failure, reason: ROOT_ALONE };
  if (result.code !== 0) return failure;
  return use ?? { code: 'malformed', reason: '`lvs` printed something else than its JSON' };
};

/** Null: it is not a report of lvs. */
export const parseLvs = (text: string): ReadonlyMap<string, ThinPoolReading> | null => {
  const report = reportSchema.safeParse(parseJson(text)).data;
  if (report === undefined) return null;
  const ratio = (value: string): number => Number(value.replace(',', '.')) / 100;
  const entries = report.report
    .flatMap(({ lv }) => lv)
    .flatMap((entry) => {
      const volume = volumeSchema.safeParse(entry).data;
      if (volume === undefined) return [];
      const metadata = volume.metadata_percent ?? '';
      const reading: ThinPoolReading = {
        kind: 'thin_pool',
        dataUsedRatio: ratio(volume.data_percent),
        metadataUsedRatio: metadata === '' ? null : ratio(metadata),
      };
      return [[`${volume.vg_name}/${volume.lv_name}`, reading] as const];
    });
  return new Map(entries);
};

const claimOf = ({ vg, lv, uuid }: ThinPool): ResourceClaim => {
  const name = cleanText(`${vg}/${lv}`, 256);
  return {
    ...claimDefaults,
    ref: `pool:lvm/${name}`,
    kind: 'pool',
    name,
    parentRef: HOST_REF,
    keys: [proof(`lvm-uuid:${uuid}`), hint(`pool-name:lvm/${name}`, 'parent')],
    slug: `lvm-${name}`,
    expects: ['thin_pool'],
    facts: { poolType: 'lvm-thin' },
  };
};
