/** One problem is one finding: by (resource, key), and for what a model words anew each time, by likeness. */
import { issueKey } from '../signals/detector.ts';

export const MAX_KEY_LENGTH = 200;

/** What the keys of well-behaved detectors and models are made of. */
const PLAIN_KEY = /^[\w.:/@+\- ]*$/;
const UNSEEN = /[\p{Cc}\p{Cf}\p{Cs}\p{Default_Ignorable_Code_Point}]/gu;

/** A key as it is stored and compared: subjects are names from the infrastructure, of any length and content. */
export const storedKey = (key: string): string => {
  if (key.length <= MAX_KEY_LENGTH && PLAIN_KEY.test(key)) return key;
  const visible = key.replace(UNSEEN, '\u00b7').trim();
  if (visible.length <= MAX_KEY_LENGTH) return visible;
  // Long names often differ at their end alone.
  const kept = visible.slice(0, MAX_KEY_LENGTH - 9).replace(/[\ud800-\udbff]$/, '');
  return `${kept}~${fnv1a(visible).toString(16).padStart(8, '0')}`;
};

/** FNV-1a, 32 bit, over UTF-16 units. */
const fnv1a = (text: string): number => {
  let hash = 0x811c9dc5;
  for (let index = 0; index < text.length; index += 1) {
    hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193) >>> 0;
  }
  return hash;
};

export const storedKeyOf = (type: string, subject: string | null): string => storedKey(issueKey(type, subject));

/** `backup_failed` of `backup_failed:job-7`. */
export const keyType = (key: string): string => {
  const end = key.indexOf(':');
  return end < 0 ? key : key.slice(0, end);
};

/** The detector that owns a key; null: none does. */
export const keyOwner = (key: string, detectorTypes: ReadonlySet<string>): string | null => {
  const type = keyType(key);
  return detectorTypes.has(type) ? type : null;
};
