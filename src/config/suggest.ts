/** Did you mean: the known word nearest to a mistyped one. */

const distance = (a: string, b: string): number => {
  let row = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i += 1) {
    const next = [i];
    for (let j = 1; j <= b.length; j += 1) {
      const swap = (row[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1);
      next.push(Math.min(swap, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1));
    }
    row = next;
  }
  return row[b.length] ?? 0;
};

/** Null where nothing is near enough to be a slip of the fingers. */
export const suggest = (word: string, known: readonly string[]): string | null => {
  const wanted = word.toLowerCase();
  const [best] = known
    .map((candidate) => ({ candidate, apart: distance(wanted, candidate.toLowerCase()) }))
    .filter(({ candidate, apart }) => apart <= Math.max(1, Math.floor(Math.max(word.length, candidate.length) / 3)))
    .toSorted((a, b) => a.apart - b.apart);
  return best?.candidate ?? null;
};
