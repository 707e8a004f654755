/** Figures of a recording that move with the clock of its replay, written as tokens in the recorded texts. */

export interface ReplayTime {
  /** When the recording says it was made. */
  readonly recordedAtMs: number;
  readonly nowMs: number;
}

/**
 * - `{{recorded-3600|s}}`: an instant, in seconds from when it was recorded: what happened, happened then.
 * - `{{now-30|us}}`: an instant that keeps its distance from now. Formats: `s`, `ms`, `us`, `iso`, `ctime` (UTC).
 * - `{{count 4500000+31.5}}`: a counter that stood at the first number when it was recorded and rises by the second each
 *   second.
 */
const INSTANT = /\{\{(recorded|now)([+-]\d+(?:\.\d+)?)?\|(s|ms|us|iso|ctime)\}\}/g;
const COUNTER = /\{\{count (\d+)\+(\d+(?:\.\d+)?)\}\}/g;

export const replayText = (text: string, { recordedAtMs, nowMs }: ReplayTime): string => {
  if (!text.includes('{{')) return text;
  const sinceSeconds = Math.max(0, nowMs - recordedAtMs) / 1_000;
  return text
    .replace(INSTANT, (_, anchor: string, offset: string | undefined, format: string) => {
      const atMs = (anchor === 'now' ? nowMs : recordedAtMs) + Number(offset ?? 0) * 1_000;
      return formatInstant(atMs, format);
    })
    .replace(COUNTER, (_, base: string, rate: string) =>
      String(Math.floor(Number(base) + Number(rate) * sinceSeconds)),
    );
};

const formatInstant = (atMs: number, format: string): string => {
  switch (format) {
    case 's':
      return String(Math.floor(atMs / 1_000));
    case 'ms':
      return String(Math.round(atMs));
    case 'us':
      return String(Math.round(atMs * 1_000));
    case 'iso':
      return new Date(atMs).toISOString();
    default:
      return ctime(new Date(atMs));
  }
};

/** `Sun Nov  9 02:37:46 2025`, as ctime(3) has it. */
const ctime = (date: Date): string => {
  const [weekday = '', day = '', month = '', year = '', time = ''] = date.toUTCString().split(' ');
  return `${weekday.slice(0, 3)} ${month} ${day.replace(/^0/, ' ')} ${time} ${year}`;
};
