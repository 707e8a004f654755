/** Who the backup server is, kept from survey to survey: its name, certificate, zone and version. */
import { z } from 'zod';
import { normalizeFingerprint } from '../../runtime/http-tls.ts';
import { cleanText } from '../../runtime/text.ts';
import type { SourceState } from '../source.ts';
import type { ProxmoxBackupConfig } from './proxmox-backup-config.ts';
import { parseUpid } from './upid.ts';

export interface BackupServer {
  /** Of the machine, where a task told it; else of the first endpoint. */
  readonly name: string;
  /** SHA-256 of its certificate, 64 upper-case hex digits. */
  readonly fingerprint: string | null;
  /** Under which others may know it: `pbs.example`, with the port where that is not the usual one. */
  readonly addresses: readonly string[];
  /** IANA name. */
  readonly timeZone: string | null;
}

const STATE_KEY = 'server';
const kept = z.object({
  name: z.string().nullable(),
  fingerprint: z.string().nullable(),
  timeZone: z.string().nullable(),
});
type Kept = z.infer<typeof kept>;
const NOTHING: Kept = { name: null, fingerprint: null, timeZone: null };

const LOOPBACK = /^(?:localhost|127\.|\[?::1\]?)/i;
const DEFAULT_PORT = '8007';

/** Of a tunnel's end others know nothing. */
const addressesOf = (endpoints: readonly string[]): readonly string[] => [
  ...new Set(
    endpoints
      .map((endpoint) => new URL(endpoint))
      .filter(({ hostname }) => !LOOPBACK.test(hostname))
      .map(({ hostname, port }) => {
        const host = hostname.toLowerCase().replace(/^\[|\]$/g, '');
        return port === DEFAULT_PORT ? host : `${host}:${port === '' ? '443' : port}`;
      }),
  ),
];

/** Pinned for the one server that there is; several are certificates that follow each other. */
const pinned = ({ fingerprint }: ProxmoxBackupConfig): string | null =>
  typeof fingerprint === 'string' ? normalizeFingerprint(fingerprint) : null;

export const recallServer = (config: ProxmoxBackupConfig, state: SourceState): BackupServer => {
  const { name, fingerprint, timeZone } = kept.safeParse(state.get(STATE_KEY)).data ?? NOTHING;
  const [first = 'https://backup-server'] = config.endpoints;
  return {
    name: name ?? new URL(first).hostname,
    fingerprint: fingerprint ?? pinned(config),
    addresses: addressesOf(config.endpoints),
    timeZone,
  };
};

/**
 * Tasks are called after the machine they ran on; nothing else tells its name to whoever is not its administrator. The
 * answers that come first hold the last garbage collection of each datastore.
 */
export const learnName = (state: SourceState, upids: readonly (string | undefined)[]): void => {
  const names = upids.flatMap((upid) => parseUpid(upid ?? '')?.node ?? []);
  const [first] = names;
  if (first !== undefined) keepServer(state, { name: first });
};

/** Adds what was learned just now. */
export const keepServer = (state: SourceState, learned: Partial<Kept>): void => {
  const before = kept.safeParse(state.get(STATE_KEY)).data ?? NOTHING;
  const clean = Object.fromEntries(
    Object.entries(learned).map(([key, value]) => [key, value === null ? null : cleanText(value, 253)]),
  );
  state.set(STATE_KEY, { ...before, ...clean });
};

/**
 * How others are likely to call it: by the fingerprint that they had to pin as well, or, where the certificate is one
 * that everybody accepts, by its address.
 */
export const calledBy = ({ fingerprint, addresses, name }: BackupServer, config: ProxmoxBackupConfig): string => {
  const isPinned = config.fingerprint !== undefined || config.caFile !== undefined;
  const [address] = addresses;
  return (isPinned ? (fingerprint ?? address) : (address ?? fingerprint)) ?? name;
};

/** Every name by which another source may mean it. */
export const namesOf = ({ fingerprint, addresses }: BackupServer): readonly string[] => [
  ...(fingerprint === null ? [] : [fingerprint]),
  ...addresses,
];
