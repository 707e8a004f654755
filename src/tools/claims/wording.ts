/** How far the words of a claim are those of a detector: what it is called, and what its findings are titled. */
import type { AnyDetector } from '../../../signals/detector.ts';

/** Words that tell no problem from another. */
const EMPTY_WORDS = new Set(
  'a an and are as at be by for from has have in is it its keeps keep of off on or out soon that the this to too up was will with about can not does high low failed failing fails fail issue problem alert warning critical error state status unhealthy degraded bad used use usage'.split(
    ' ',
  ),
);
/** Of one text. */
const MAX_WORDS = 60;

/** `running` and `run`, `inodes` and `inode`, `failure` and `failed`. */
const stem = (word: string): string =>
  /^\p{L}{5,}$/u.test(word) ? word.replace(/(?:ing|ed|es|ure|[es])$/, '').replace(/([^aeiou])\1$/, '$1') : word;

const allWords = (text: string): readonly string[] =>
  text
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '')
    .slice(0, MAX_WORDS);

/** Where a name is made of nothing else, empty words have to do. */
const telling = (words: readonly string[]): ReadonlySet<string> => {
  const kept = words.filter((word) => !EMPTY_WORDS.has(word));
  return new Set((kept.length > 0 ? kept : words).map(stem));
};

export const wordsOf = (...texts: readonly string[]): ReadonlySet<string> =>
  new Set(texts.flatMap((text) => allWords(text).map(stem)));

const shareIn = (claim: ReadonlySet<string>, own: ReadonlySet<string>): number =>
  own.size === 0 ? 0 : own.intersection(claim).size / own.size;

/** 0..1: the larger share of the telling words of its type, or of its title, that the claim uses. */
export const likenessTo = ({ type, title }: Pick<AnyDetector, 'type' | 'title'>, claim: ReadonlySet<string>): number =>
  Math.max(shareIn(claim, telling(allWords(type))), shareIn(claim, telling(allWords(title))));

/** From here on a claim speaks of what the detector judges, whatever it says that it speaks of. */
export const SPEAKS_OF = 0.6;
