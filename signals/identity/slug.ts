/** Names as they stand in ids: lower-case, safe in URLs, shells and file names, and still readable. */

/** Two names that agree so far are told apart by a number. */
const MAX_SLUG_LENGTH = 64;

/** `Nas 1` -> `nas-1`, `/srv/media` -> `srv-media`, `/` -> `root`, what has no safe character -> the fallback. */
export const slugOf = (name: string, fallback: string): string => {
  if (name.trim() === '/') return 'root';
  const slug = name
    .slice(0, 4 * MAX_SLUG_LENGTH)
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll(/\p{Mark}+/gu, '')
    .replaceAll(/[^a-z0-9._]+/g, '-')
    .replaceAll(/^[-.]+/g, '')
    .slice(0, MAX_SLUG_LENGTH)
    .replaceAll(/[-.]+$/g, '');
  return slug === '' ? fallback : slug;
};
