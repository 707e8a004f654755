/** Patterns for names: `*` stands for any characters, `?` for one. */

/**
 * Whether the whole name fits. Written out rather than made a regular expression, so that no pattern can take longer
 * than pattern times name.
 */
export const matchesPattern = (pattern: string, name: string): boolean => {
  let at = 0;
  let inPattern = 0;
  let star = -1;
  let starAt = 0;
  while (at < name.length) {
    const wanted = pattern[inPattern];
    if (wanted === '*') {
      star = inPattern;
      starAt = at;
      inPattern += 1;
    } else if (wanted === '?' || (wanted !== undefined && wanted === name[at])) {
      inPattern += 1;
      at += 1;
    } else if (star >= 0) {
      inPattern = star + 1;
      starAt += 1;
      at = starAt;
    } else return false;
  }
  while (pattern[inPattern] === '*') inPattern += 1;
  return inPattern === pattern.length;
};
