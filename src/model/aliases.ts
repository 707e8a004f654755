/** Stable aliases for names and addresses: what a provider gets to see instead of them, and the way back. */
import { createHmac } from 'node:crypto';
import { isIPv4, isIPv6 } from 'node:net';

/** Something that the operator named, or that names the operator's things. */
export interface NamedThing {
  readonly name: string;
  /** Begins its alias, so that a model still knows what it is about: `guest-k3f7qa`. Lower-case letters. */
  readonly kind: string;
}

export interface Aliases {
  /** What is hidden now, besides addresses; another array when it changes. */
  names(): readonly NamedThing[];
  hide(text: string): string;
  reveal(text: string): string;
}

/** Further ones are hidden as well, but their way back is not remembered. */
export const MAX_ALIASES = 50_000;
const MIN_NAME_LENGTH = 3;
const CODE_LENGTH = 6;

/** Names that everybody's things have: they tell nothing, and an alias for them would garble the instructions. */
const COMMON = new Set(
  `address array backup backups bridge check checks cluster container containers critical data datastore default disk
  disks docker endpoint error failed filesystem finding guest home host info interface kernel local local-lvm local-zfs
  localhost memory metrics network node none patrol patrold pool prometheus proxmox proxmox-backup proxmox-ve resource
  root running service source status storage stopped swap system systemd test this-host unknown user virtual warning`.split(
    /\s+/,
  ),
);

const EMAIL = String.raw`[\w.+-]{1,64}@[A-Za-z0-9-]{1,63}(?:\.[A-Za-z0-9-]{1,63}){1,8}`;
const MAC = `(?<![0-9A-Fa-f:-])(?:[0-9A-Fa-f]{2}[:-]){5}[0-9A-Fa-f]{2}(?![0-9A-Fa-f:-])`;
const IPV6 = String.raw`(?<![\w:.])[0-9A-Fa-f]{0,4}:[0-9A-Fa-f:]{1,40}(?:(?:\d{1,3}\.){3}\d{1,3})?(?![\w:])`;
const IPV4 = String.raw`(?<![\w.])(?:\d{1,3}\.){3}\d{1,3}(?!\.?\w)`;
const ADDRESS = new RegExp(`(?<mail>${EMAIL})|(?<mac>${MAC})|(?<six>${IPV6})|(?<four>${IPV4})`, 'g');
const NOBODYS = /^(?:127\.|0\.0\.0\.0$|255\.255\.255\.255$|::1?$)/;

/** Where a name may begin: a run of letters and digits. */
const WORD = /[\p{L}\p{N}]+/gu;
const IN_WORD = /[\p{L}\p{N}]/u;
const ALIAS = /\b[a-z]{2,12}-[a-z2-7]{6,20}\b/g;
/** RFC 4648, lower case. */
const BASE32 = 'abcdefghijklmnopqrstuvwxyz234567';

const codeOf = (key: string, name: string, length: number): string => {
  const digest = createHmac('sha256', key).update(name).digest();
  return Array.from(digest.subarray(0, length), (byte) => BASE32[byte % 32]).join('');
};

const worthHiding = (name: string): boolean =>
  name.length >= MIN_NAME_LENGTH && /\p{L}/u.test(name) && !COMMON.has(name.toLowerCase());

type ByFirstWord = ReadonlyMap<string, readonly NamedThing[]>;

/** Longer names first: `nas-backup` is not `nas` with something behind it. */
const indexOf = (things: readonly NamedThing[]): ByFirstWord => {
  const index = new Map<string, NamedThing[]>();
  for (const thing of things.toSorted((a, b) => b.name.length - a.name.length)) {
    const [word] = thing.name.toLowerCase().match(WORD) ?? [];
    if (word === undefined || !worthHiding(thing.name)) continue;
    const same = index.get(word) ?? [];
    same.push(thing);
    index.set(word, same);
  }
  return index;
};

const endsAt = (text: string, position: number): boolean => !IN_WORD.test(text.charAt(position));

const replaceNames = (text: string, index: ByFirstWord, aliasOf: (thing: NamedThing) => string): string => {
  const lower = text.toLowerCase();
  // Some capitals are longer in lower case; positions would not fit any more.
  if (lower.length !== text.length) return text;
  let hidden = '';
  let position = 0;
  for (const { 0: word, index: start } of lower.matchAll(WORD)) {
    if (start < position) continue;
    const thing = index.get(word)?.find(({ name }) => {
      const wanted = name.toLowerCase();
      return lower.startsWith(wanted, start) && endsAt(text, start + wanted.length);
    });
    if (thing === undefined) continue;
    hidden += text.slice(position, start) + aliasOf(thing);
    position = start + thing.name.length;
  }
  return hidden + text.slice(position);
};

const addressKind = ({ mail, mac, six, four }: Readonly<Record<string, string | undefined>>): string | null => {
  if (mail !== undefined) return 'mail';
  if (mac !== undefined) return 'mac';
  if (six !== undefined) return isIPv6(six) && !NOBODYS.test(six) ? 'ip' : null;
  return four !== undefined && isIPv4(four) && !NOBODYS.test(four) ? 'ip' : null;
};

/**
 * `key` makes aliases stable from run to run and worthless without it; `names` is asked each time, since a run learns
 * of more. Names shorter than three characters, numbers and everyday words stay as they are.
 */
export const createAliases = (key: string, names: () => readonly NamedThing[]): Aliases => {
  const nameOf = new Map<string, string>();
  const known = new Map<string, string>();
  let indexed: { readonly things: readonly NamedThing[]; readonly index: ByFirstWord } | null = null;

  const aliasOf = ({ name, kind }: NamedThing): string => {
    const same = name.toLowerCase();
    const before = known.get(same);
    if (before !== undefined) return before;
    let length = CODE_LENGTH;
    let alias = `${kind}-${codeOf(key, same, length)}`;
    while (nameOf.has(alias) && length < 20) {
      length += 2;
      alias = `${kind}-${codeOf(key, same, length)}`;
    }
    if (nameOf.size < MAX_ALIASES) {
      nameOf.set(alias, name);
      known.set(same, alias);
    }
    return alias;
  };

  const currentIndex = (): ByFirstWord => {
    const things = names();
    if (indexed?.things !== things) indexed = { things, index: indexOf(things) };
    return indexed.index;
  };

  return {
    names,
    hide: (text) => {
      const index = currentIndex();
      let hidden = '';
      let position = 0;
      for (const match of text.matchAll(ADDRESS)) {
        const kind = addressKind(match.groups ?? {});
        if (kind === null) continue;
        hidden += replaceNames(text.slice(position, match.index), index, aliasOf) + aliasOf({ name: match[0], kind });
        position = match.index + match[0].length;
      }
      return hidden + replaceNames(text.slice(position), index, aliasOf);
    },
    reveal: (text) => text.replace(ALIAS, (alias) => nameOf.get(alias) ?? alias),
  };
};
