/** Finds the finding that a model means when it words a known problem anew. Detectors never need it: their keys are exact. */
import type { Category } from '../signals/detector.ts';
import type { ResourceId } from '../signals/resource.ts';
import type { Finding, FindingId } from './finding.ts';

export interface Wording {
  readonly resourceId: ResourceId;
  readonly key: string;
  readonly category: Category;
  readonly title: string;
}

export type Likened = Wording & Pick<Finding, 'id' | 'state' | 'lastSeenAtMs'>;

/** Share of words in common from which two wordings of one category are one problem. */
export const ALIKE_IN_CATEGORY = 0.6;
/** Across categories both key and title must be this much alike. */
export const ALIKE_ACROSS = 0.8;

/** Words that say nothing about which problem it is. */
export const EMPTY_WORDS: ReadonlySet<string> = new Set(
  'a an and are as at been by for from has have in is it its of on or that the this to too very was were with high issue problem alert warning critical detected finding status'.split(
    ' ',
  ),
);

/**
 * Null: it is a new problem. `known` are findings on the same resource. The caller has looked for the exact key before,
 * and asks only for keys that no detector owns, so that two detectors' findings are never merged.
 */
export const findNearDuplicate = (wording: Wording, known: Iterable<Likened>): FindingId | null => {
  let best: { readonly finding: Likened; readonly score: number } | null = null;
  for (const finding of known) {
    if (finding.resourceId !== wording.resourceId) continue;
    const score = likeness(wording, finding);
    if (
      score !== null &&
      (best === null || score > best.score || (score === best.score && preferred(finding, best.finding)))
    ) {
      best = { finding, score };
    }
  }
  return best?.finding.id ?? null;
};

/** What goes on before what is over, then what was seen last. */
const preferred = (a: Likened, b: Likened): boolean =>
  a.state === b.state ? a.lastSeenAtMs > b.lastSeenAtMs : a.state === 'active';

/** 0..1; null: not alike, or about different things. */
const likeness = (a: Wording, b: Wording): number | null => {
  const keys = compare(wordsOf(a.key), wordsOf(b.key));
  const titles = compare(wordsOf(a.title), wordsOf(b.title));
  if (keys.differ || titles.differ) return null;
  const high = Math.max(keys.share, titles.share);
  const low = Math.min(keys.share, titles.share);
  const alike = a.category === b.category ? high >= ALIKE_IN_CATEGORY : low >= ALIKE_ACROSS;
  return alike ? (high + low) / 2 : null;
};

/** Longest wording that is compared word by word. */
const MAX_WORDS = 40;

const wordsOf = (text: string): ReadonlySet<string> => {
  const words = text
    .toLowerCase()
    .split(/[^\p{L}\p{N}/.%]+/u)
    .map((word) => word.replace(/^[.]+|[.]+$/g, ''));
  return new Set(
    words
      .filter((word) => word !== '' && !EMPTY_WORDS.has(word))
      .map(stem)
      .slice(0, MAX_WORDS),
  );
};

/** `disks` and `disk`, `failing` and `failed`: endings that a rewording changes. */
const stem = (word: string): string => (/^\p{L}{5,}$/u.test(word) ? word.replace(/(?:ing|ed|es|s|ure)$/, '') : word);

interface Comparison {
  readonly share: number;
  /** Each names something that the other does not: `sda` and `sdb`, `/srv` and `/var`. */
  readonly differ: boolean;
}

const compare = (a: ReadonlySet<string>, b: ReadonlySet<string>): Comparison => {
  const union = a.union(b).size;
  const share = union === 0 ? 0 : a.intersection(b).size / union;
  const left = [...a.difference(b)];
  const right = [...b.difference(a)];
  const names = left.some(isName) && right.some(isName);
  const variants = left.some((word) => right.some((other) => oneApart(word, other)));
  return { share, differ: names || variants };
};

/** Figures are no names: `91%` today is `92%` tomorrow. */
const isName = (word: string): boolean => !/^[\d.]+%?$/.test(word) && (/\d/.test(word) || word.includes('/'));

const oneApart = (a: string, b: string): boolean => {
  if (a.length !== b.length) return false;
  let different = 0;
  for (let index = 0; index < a.length; index += 1) if (a[index] !== b[index]) different += 1;
  return different === 1 && !/^[\d.]+%?$/.test(a);
};
