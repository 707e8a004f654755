/** Time spans as systemd prints them (systemd.time(7)): `1d 2h 30min`. Pure. */

const UNITS_MS: Readonly<Record<string, number>> = {
  y: 31_557_600_000,
  month: 2_629_800_000,
  w: 604_800_000,
  d: 86_400_000,
  h: 3_600_000,
  min: 60_000,
  s: 1_000,
  ms: 1,
  us: 0.001,
};

/** Null where the text is something else, `infinity` for example. */
export const parseTimeSpan = (text: string): number | null => {
  if (text === '0') return 0;
  let totalMs = 0;
  for (const part of text.trim().split(/\s+/)) {
    const [, amount, unit = ''] = /^(\d+(?:\.\d+)?)([a-z]+)$/.exec(part) ?? [];
    const unitMs = UNITS_MS[unit];
    if (amount === undefined || unitMs === undefined) return null;
    totalMs += Number(amount) * unitMs;
  }
  return Math.round(totalMs);
};
