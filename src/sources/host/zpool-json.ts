/** `zpool status -j` of OpenZFS 2.3 and later. */
import { z } from 'zod';
import type { ZfsScan } from '../../../signals/reading.ts';
import { cleanText } from '../../runtime/text.ts';
import { parseJson } from './parse-json.ts';
import { memberState, parseCount, poolState, type Vdev, type ZpoolStatus } from './zpool-status.ts';

const NAME_CHARACTERS = 256;
/** Pools, groups, members, and spares in use within a replacement. */
const DEPTH = 6;

/** Numbers are numbers with `--json-int` and strings without. */
const figure = z.union([z.number(), z.string()]).optional();

interface JsonVdev {
  readonly name: string;
  readonly state?: string | undefined;
  readonly aux?: string | undefined;
  readonly read_errors?: number | string | undefined;
  readonly write_errors?: number | string | undefined;
  readonly checksum_errors?: number | string | undefined;
  readonly vdevs?: Readonly<Record<string, JsonVdev>> | undefined;
}

const vdevSchema: z.ZodType<JsonVdev> = z.lazy(() =>
  z.object({
    name: z.string(),
    state: z.string().optional(),
    aux: z.string().optional(),
    read_errors: figure,
    write_errors: figure,
    checksum_errors: figure,
    vdevs: vdevsSchema.optional(),
  }),
);
const vdevsSchema = z.record(z.string(), vdevSchema);

const poolSchema = z.object({
  name: z.string(),
  state: z.string(),
  error_count: figure,
  scan_stats: z
    .object({
      function: z.string().optional(),
      state: z.string().optional(),
      start_time: figure,
      end_time: figure,
      rebuild_stats: z.record(z.string(), z.object({ state: z.string(), start_time: figure })).optional(),
    })
    .optional(),
  vdevs: vdevsSchema,
  special: vdevsSchema.optional(),
  dedup: vdevsSchema.optional(),
  logs: vdevsSchema.optional(),
  l2cache: vdevsSchema.optional(),
  spares: vdevsSchema.optional(),
});

const documentSchema = z.object({
  output_version: z.object({ command: z.string(), vers_major: z.number() }),
  pools: z.record(z.string(), z.unknown()),
});

export interface ParsedZpools {
  readonly pools: readonly ZpoolStatus[];
  /** Pools whose entry is not understood. */
  readonly malformed: readonly string[];
}

/** The only version there is so far. */
const KNOWN_VERSION = 0;

/** Null: it is not this command's JSON, or of a version that is not known. */
export const parseZpoolJson = (text: string): ParsedZpools | null => {
  const document = documentSchema.safeParse(parseJson(text)).data;
  if (document === undefined || document.output_version.vers_major !== KNOWN_VERSION) return null;
  const pools: ZpoolStatus[] = [];
  const malformed: string[] = [];
  for (const [name, entry] of Object.entries(document.pools)) {
    const status = toStatus(poolSchema.safeParse(entry).data);
    if (status === null) malformed.push(cleanText(name, NAME_CHARACTERS));
    else pools.push(status);
  }
  return { pools, malformed };
};

const toStatus = (pool: z.infer<typeof poolSchema> | undefined): ZpoolStatus | null => {
  const state = pool === undefined ? null : poolState(pool.state);
  if (pool === undefined || state === null) return null;
  const root = pool.vdevs[pool.name] ?? Object.values(pool.vdevs)[0];
  const of = (group: z.infer<typeof vdevsSchema> | undefined): readonly Vdev[] =>
    Object.values(group ?? {}).map((vdev) => toVdev(vdev, DEPTH));
  return {
    name: cleanText(pool.name, NAME_CHARACTERS),
    state,
    dataVdevs: [...of(root?.vdevs), ...of(pool.special), ...of(pool.dedup)],
    otherVdevs: [...of(pool.logs), ...of(pool.l2cache), ...of(pool.spares)],
    dataErrors: pool.error_count === undefined ? null : toNumber(pool.error_count),
    scan: toScan(pool.scan_stats),
  };
};

const toNumber = (value: number | string | undefined): number =>
  typeof value === 'number' ? value : parseCount(value ?? '0');

const toVdev = (vdev: JsonVdev, depth: number): Vdev => ({
  name: cleanText(vdev.name, NAME_CHARACTERS),
  state:
    vdev.state === 'CANT_OPEN' && /CORRUPT|BAD_LOG/.test(vdev.aux ?? '') ? 'FAULTED' : memberState(vdev.state ?? ''),
  readErrors: toNumber(vdev.read_errors),
  writeErrors: toNumber(vdev.write_errors),
  checksumErrors: toNumber(vdev.checksum_errors),
  children: depth === 0 ? [] : Object.values(vdev.vdevs ?? {}).map((child) => toVdev(child, depth - 1)),
});

/** Epoch seconds with `--json-int`; without it a date in the machine's words, which is not read. */
const toInstant = (value: number | string | undefined): number | null => {
  const seconds = Number(value ?? 0);
  return Number.isFinite(seconds) && seconds > 0 ? seconds * 1_000 : null;
};

const SCAN_STATES: Readonly<Record<string, ZfsScan['state']>> = {
  SCANNING: 'running',
  FINISHED: 'finished',
  CANCELED: 'canceled',
};

const toScan = (stats: z.infer<typeof poolSchema>['scan_stats']): ZfsScan | null => {
  const rebuild = Object.values(stats?.rebuild_stats ?? {}).find(({ state }) => state === 'ACTIVE');
  if (rebuild !== undefined) {
    return { kind: 'resilver', state: 'running', startedAtMs: toInstant(rebuild.start_time), finishedAtMs: null };
  }
  const state = SCAN_STATES[stats?.state ?? ''];
  const kind = stats?.function === 'SCRUB' ? 'scrub' : stats?.function === 'RESILVER' ? 'resilver' : null;
  if (stats === undefined || state === undefined || kind === null) return null;
  const finishedAtMs = state === 'running' ? null : toInstant(stats.end_time);
  return { kind, state, startedAtMs: toInstant(stats.start_time), finishedAtMs };
};
