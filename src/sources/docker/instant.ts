/** Instants as the engine writes them. */

/** Epoch ms of an RFC 3339 time; null for Go's zero time (year 1), which stands for "never", and for what is no time. */
export const instantMs = (text: string | undefined): number | null => {
  const ms = Date.parse(text ?? '');
  return Number.isNaN(ms) || ms <= 0 ? null : ms;
};
