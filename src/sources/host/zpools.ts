/** ZFS pools: health of every member, redundancy, data errors, scrubs and space. */
import { claimDefaults, hint, proof, type ResourceClaim } from '../../../signals/claim.ts';
import type { ReadingKind } from '../../../signals/reading.ts';
import type { Gap, SurveyedReading } from '../../../signals/survey.ts';
import { cleanText } from '../../runtime/text.ts';
import { failureOf, type Trouble, troubleOf } from './command-trouble.ts';
import { type Collector, HOST_REF, type HostContext } from './host-context.ts';
import { NOTHING, type Part, part } from './part.ts';
import { readLine } from './root-reader.ts';
import { ZFS_REMEDY } from './zfs-datasets.ts';
import { type ParsedZpools, parseZpoolJson } from './zpool-json.ts';
import { type ListedPool, parseZpoolList, ZPOOL_LIST } from './zpool-list.ts';
import { poolState, type ZpoolStatus, zpoolReading } from './zpool-status.ts';
import { parseZpoolText } from './zpool-text.ts';

const EXPECTS: readonly ReadingKind[] = ['zfs_pool', 'capacity'];
const POOLS = 64;
/** Where the kernel module has a directory for every imported pool. */
const KSTAT = '/proc/spl/kstat/zfs';

/** A container sees its host's pools; they are not its own. No module, no pools. */
export const collectZpools: Collector = async (host) => {
  if (host.environment.container !== null) return NOTHING;
  const kstat = await host.reader.list(KSTAT);
  if (kstat.kind === 'absent') return NOTHING;
  const names = kstat.kind === 'read' ? kstat.names : [];
  const listed = await listPools(host);
  if (!Array.isArray(listed)) return withoutCommand(host, names, listed as Trouble);
  const pools = listed.slice(0, POOLS) as readonly ListedPool[];
  if (pools.length === 0) return NOTHING;
  const [status, datasets] = await Promise.all([readStatus(host), host.zfsDatasets()]);
  const createdAtMs = 'limited' in datasets ? datasets.poolCreatedAtMs : new Map<string, number>();
  const isCut = listed.length > POOLS;
  return part({
    claims: pools.map(({ name, guid }) => claimOf(name, guid)),
    readings: pools.flatMap((pool) => readingsOf(host, pool, status, createdAtMs.get(pool.name) ?? null)),
    gaps: [
      ...pools.flatMap((pool) => gapsOf(pool, status)),
      ...(isCut
        ? [{ ref: HOST_REF, reads: EXPECTS, code: 'cut_short' as const, reason: `more than ${POOLS} pools` }]
        : []),
    ],
  });
};

const listPools = async ({ commands }: HostContext): Promise<readonly ListedPool[] | Trouble> => {
  const result = await commands.run('zpool', ZPOOL_LIST);
  const trouble = troubleOf(result, 'zpool', ZFS_REMEDY);
  if (trouble !== null || result.kind !== 'exited') return trouble ?? { code: 'failed', reason: '`zpool` did not run' };
  return result.code === 0 ? parseZpoolList(result.stdout) : failureOf(result, 'zpool list');
};

/** JSON where this version has it, else text. */
const readStatus = async ({ commands }: HostContext): Promise<ParsedZpools | Trouble> => {
  const json = await commands.run('zpool', ['status', '-j', '--json-int']);
  const parsed = json.kind === 'exited' && json.code === 0 ? parseZpoolJson(json.stdout) : null;
  if (parsed !== null) return parsed;
  if (json.kind !== 'exited') return troubleOf(json, 'zpool', ZFS_REMEDY) ?? { code: 'failed', reason: '' };
  const text = await commands.run('zpool', ['status', '-p']);
  if (text.kind !== 'exited') return troubleOf(text, 'zpool', ZFS_REMEDY) ?? { code: 'failed', reason: '' };
  return text.code === 0 ? parseZpoolText(text.stdout) : failureOf(text, 'zpool status');
};

const statusOf = (name: string, status: ParsedZpools | Trouble): ZpoolStatus | undefined =>
  'pools' in status ? status.pools.find((pool) => pool.name === name) : undefined;

const readingsOf = (
  { clock }: HostContext,
  { name, capacity }: ListedPool,
  status: ParsedZpools | Trouble,
  createdAtMs: number | null,
): readonly SurveyedReading[] => {
  const stamp = { ref: refOf(name), takenAtMs: clock.nowMs() };
  const health = statusOf(name, status);
  return [
    ...(capacity === null ? [] : [{ ...capacity, ...stamp }]),
    ...(health === undefined ? [] : [{ ...zpoolReading(health, createdAtMs), ...stamp }]),
  ];
};

const gapsOf = ({ name, capacity }: ListedPool, status: ParsedZpools | Trouble): readonly Gap[] => {
  const gaps: Gap[] = [];
  if (capacity === null) {
    gaps.push({
      ref: refOf(name),
      reads: ['capacity'],
      code: 'empty',
      reason: '`zpool list` knows no size: the pool is not open',
    });
  }
  if (statusOf(name, status) === undefined) {
    const reason = `\`zpool status\` says nothing of ${name} that is understood`;
    const trouble = 'pools' in status ? { code: 'malformed' as const, reason } : status;
    gaps.push({ ref: refOf(name), reads: ['zfs_pool'], ...trouble });
  }
  return gaps;
};

/** The kernel still tells which pools there are, and whether one is in trouble; health it does not prove. */
const withoutCommand = async (host: HostContext, names: readonly string[], trouble: Trouble): Promise<Part> => {
  const states = await Promise.all(
    names.slice(0, POOLS).map(async (name) => ({ name, state: await readLine(host.reader, `${KSTAT}/${name}/state`) })),
  );
  const pools = states.flatMap(({ name, state }) => (state === null ? [] : [{ name, state: poolState(state) }]));
  const unnamed = pools.length === 0 ? [{ ref: HOST_REF, reads: EXPECTS, ...trouble }] : [];
  return part({
    claims: pools.map(({ name }) => claimOf(name, null)),
    readings: pools.flatMap(({ name, state }) =>
      state === null || state === 'ONLINE'
        ? []
        : [
            {
              kind: 'zfs_pool' as const,
              state,
              redundancyLeft: null,
              dataErrors: null,
              members: [],
              scan: null,
              createdAtMs: null,
              ref: refOf(name),
              takenAtMs: host.clock.nowMs(),
            },
          ],
    ),
    gaps: [...unnamed, ...pools.map(({ name }) => ({ ref: refOf(name), reads: EXPECTS, ...trouble }))],
  });
};

const refOf = (name: string): string => `pool:zfs/${name}`;

const claimOf = (name: string, guid: string | null): ResourceClaim => ({
  ...claimDefaults,
  ref: refOf(name),
  kind: 'pool',
  name: cleanText(name, 256),
  parentRef: HOST_REF,
  keys: [...(guid === null ? [] : [proof(`zpool-guid:${guid}`)]), hint(`pool-name:zfs/${name}`, 'parent')],
  slug: `zfs-${name}`,
  expects: EXPECTS,
  facts: { poolType: 'zfs' },
});
