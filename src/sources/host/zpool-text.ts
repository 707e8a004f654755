/** `zpool status -p` before OpenZFS 2.3, which had no JSON. */
import type { ZfsScan } from '../../../signals/reading.ts';
import { cleanText } from '../../runtime/text.ts';
import type { ParsedZpools } from './zpool-json.ts';
import { memberState, parseCount, poolState, type Vdev, type ZpoolStatus } from './zpool-status.ts';

const NAME_CHARACTERS = 256;

export const parseZpoolText = (text: string): ParsedZpools => {
  const pools: ZpoolStatus[] = [];
  const malformed: string[] = [];
  for (const section of text.split(/^(?=\s*pool: )/m)) {
    const name = /^\s*pool: (.+)$/m.exec(section)?.[1];
    if (name === undefined) continue;
    const status = parsePool(cleanText(name, NAME_CHARACTERS), section);
    if (status === null) malformed.push(cleanText(name, NAME_CHARACTERS));
    else pools.push(status);
  }
  return { pools, malformed };
};

const parsePool = (name: string, section: string): ZpoolStatus | null => {
  const state = poolState(/^\s*state: (\w+)/m.exec(section)?.[1] ?? '');
  if (state === null) return null;
  const groups = parseConfig(section);
  const of = (wanted: readonly string[]): readonly Vdev[] =>
    groups.filter((group) => wanted.includes(group.title)).flatMap(({ vdevs }) => vdevs);
  return {
    name,
    state,
    dataVdevs: [...(groups[0]?.vdevs ?? []), ...of(['special', 'dedup'])],
    otherVdevs: of(['logs', 'cache', 'spares']),
    dataErrors: parseErrors(section),
    scan: parseScan(section),
  };
};

interface Group {
  readonly title: string;
  readonly vdevs: readonly Vdev[];
}

interface Line {
  readonly depth: number;
  readonly words: readonly string[];
}

/** Below the heading: a tab, two blanks for each level, name, state, three counts, remarks. Titles have a name alone. */
const parseConfig = (section: string): readonly Group[] => {
  const [, table = ''] = section.split(/^\s*NAME\s+STATE\s+READ\s+WRITE\s+CKSUM.*$/m);
  const lines: Line[] = [];
  for (const text of table.split('\n')) {
    const [, indent, rest] = /^\t( *)(\S.*)$/.exec(text) ?? [];
    if (indent !== undefined && rest !== undefined)
      lines.push({ depth: indent.length / 2, words: rest.trim().split(/\s+/) });
    else if (/^errors:/.test(text)) break;
  }
  const starts = lines.flatMap(({ depth }, index) => (depth === 0 ? [index] : []));
  return starts.map((start, index) => ({
    title: lines[start]?.words[0] ?? '',
    vdevs: parseTree(lines.slice(start + 1, starts[index + 1])),
  }));
};

/** Every line one level deeper belongs to the line above it. */
const parseTree = (lines: readonly Line[]): readonly Vdev[] => {
  const top = lines[0]?.depth;
  const starts = lines.flatMap(({ depth }, index) => (depth === top ? [index] : []));
  return starts.map((start, index) => {
    const [name = '', state = '', read = '0', write = '0', checksum = '0'] = lines[start]?.words ?? [];
    return {
      name: cleanText(name, NAME_CHARACTERS),
      state: memberState(state),
      readErrors: parseCount(read),
      writeErrors: parseCount(write),
      checksumErrors: parseCount(checksum),
      children: parseTree(lines.slice(start + 1, starts[index + 1])),
    };
  });
};

/** A list, or the refusal to show one to this user, means that there are some. */
const parseErrors = (section: string): number | null => {
  const said = /^errors: (.+)$/m.exec(section)?.[1];
  if (said === undefined) return null;
  if (said.startsWith('No known data errors')) return 0;
  return Math.max(1, Number(/^(\d+) data errors/.exec(said)?.[1] ?? 1));
};

const DATE = String.raw`\w{3} (\w{3}) +(\d+) (\d\d:\d\d:\d\d) (\d{4})`;

/** ctime(3), taken for UTC, which the runner of commands asks for. */
const instantAfter = (section: string, words: string): number | null => {
  const [, month, day, time, year] = new RegExp(`${words} ${DATE}`).exec(section) ?? [];
  const atMs = Date.parse(`${day} ${month} ${year} ${time} GMT`);
  return Number.isNaN(atMs) ? null : atMs;
};

/** A running scan comes first; of finished ones the scrub, since that is what is asked for. */
export const parseScan = (section: string): ZfsScan | null => {
  const scan = (
    kind: ZfsScan['kind'],
    state: ZfsScan['state'],
    startedAtMs: number | null,
    finishedAtMs: number | null,
  ) => (startedAtMs === null && finishedAtMs === null ? null : { kind, state, startedAtMs, finishedAtMs });
  const at = (words: string): number | null => instantAfter(section, words);
  return (
    scan('resilver', 'running', at('resilver in progress since'), null) ??
    scan('resilver', 'running', at(String.raw`resilver \([^)]+\) in progress since`), null) ??
    scan('scrub', 'running', at('scrub in progress since') ?? at('scrub started on'), null) ??
    scan('scrub', 'finished', null, at('scrub repaired .* with .* errors on')) ??
    scan('scrub', 'canceled', null, at('scrub canceled on')) ??
    scan('resilver', 'finished', null, at('resilvered .* with .* errors on')) ??
    scan('resilver', 'canceled', null, at('resilver canceled on'))
  );
};
