/** Which ZFS datasets have a limit of their own, and since when each pool exists. */
import type { CommandResult } from '../../runtime/command.ts';
import { failureOf, type Trouble, troubleOf } from './command-trouble.ts';

export const ZFS_LIST = ['list', '-H', '-p', '-t', 'filesystem', '-o', 'name,quota,refquota,creation'] as const;
export const ZFS_REMEDY = 'install zfsutils-linux';

export interface ZfsDatasets {
  /** With a quota or refquota above 0. */
  readonly limited: ReadonlySet<string>;
  /** Creation of each pool's root dataset. */
  readonly poolCreatedAtMs: ReadonlyMap<string, number>;
}

/** Tab-separated lines of `zfs list -Hp`; `-` and `none` stand for no value. */
const parseZfsList = (text: string): ZfsDatasets => {
  const limited = new Set<string>();
  const poolCreatedAtMs = new Map<string, number>();
  for (const line of text.split('\n')) {
    const [name, quota, refquota, creation] = line.split('\t');
    if (name === undefined || name === '') continue;
    if (Number(quota) > 0 || Number(refquota) > 0) limited.add(name);
    const createdAt = Number(creation);
    if (!name.includes('/') && createdAt > 0) poolCreatedAtMs.set(name, createdAt * 1_000);
  }
  return { limited, poolCreatedAtMs };
};

export const zfsDatasetsFrom = (result: CommandResult): ZfsDatasets | Trouble => {
  const trouble = troubleOf(result, 'zfs', ZFS_REMEDY);
  if (trouble !== null) return trouble;
  if (result.kind !== 'exited' || result.code !== 0) {
    return failureOf(result.kind === 'exited' ? result : { code: -1, stdout: '', stderr: '' }, 'zfs list');
  }
  return parseZfsList(result.stdout);
};
