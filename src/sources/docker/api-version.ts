/** Which version of the Engine API to speak. */

interface Version {
  readonly major: number;
  readonly minor: number;
}

/** Docker 18.09 (2018), the oldest that network storage boxes still ship; Podman speaks at least 1.40. */
const OLDEST: Version = { major: 1, minor: 39 };
/**
 * Docker 20.10, the first with `one-shot` statistics; newer versions add nothing that is read here. Docker 29 refuses
 * anything below 1.44 by default, and names that as its minimum.
 */
const PREFERRED: Version = { major: 1, minor: 41 };

export type Negotiated =
  | { readonly ok: true; readonly prefix: string; readonly oneShotStats: boolean }
  | { readonly ok: false; readonly reason: string };

const parse = (text: string | undefined): Version | null => {
  const match = /^(\d{1,3})\.(\d{1,4})(?:\.\d{1,4})?$/.exec(text ?? '');
  return match === null ? null : { major: Number(match[1]), minor: Number(match[2]) };
};

const below = (a: Version, b: Version): boolean => a.major < b.major || (a.major === b.major && a.minor < b.minor);

const write = ({ major, minor }: Version): string => `${major}.${minor}`;

/** The preferred version where the engine speaks it, else the nearest that it does. */
export const negotiateApiVersion = (newest: string, oldest: string | undefined): Negotiated => {
  const top = parse(newest);
  if (top === null) return { ok: false, reason: 'the engine names no API version that can be read' };
  if (below(top, OLDEST)) {
    const reason = `the engine speaks API ${write(top)} at most, patrold needs ${write(OLDEST)} (Docker 18.09): upgrade the engine`;
    return { ok: false, reason };
  }
  const floor = parse(oldest) ?? top;
  const chosen = below(top, PREFERRED) ? top : below(PREFERRED, floor) && !below(top, floor) ? floor : PREFERRED;
  return { ok: true, prefix: `/v${write(chosen)}`, oneShotStats: !below(chosen, PREFERRED) };
};
