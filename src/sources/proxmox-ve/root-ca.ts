/** Which cluster this is: the fingerprint of its root CA, asked for once and then remembered. */
import { z } from 'zod';
import { normalizeFingerprint } from '../../runtime/http-tls.ts';
import { figure, text } from '../proxmox/answer-fields.ts';
import { apiPath, type ProxmoxReader } from '../proxmox/proxmox-reader.ts';
import type { SourceState } from '../source.ts';
import type { Estate, VeNode } from './estate.ts';

export const certificateItem = z.looseObject({
  filename: text,
  fingerprint: text,
  subject: text,
  issuer: text,
  notbefore: figure,
  notafter: figure,
});
export type CertificateItem = z.infer<typeof certificateItem>;

const ROOT_CA = 'pve-root-ca.pem';
const STATE_KEY = 'root-ca';
/** Nodes that are asked, where the first ones do not tell. */
const ASKED_AT_MOST = 3;

const remembered = z.object({ fingerprint: z.string(), clusterName: z.string() });

export const isRootCa = ({ filename = '' }: CertificateItem): boolean =>
  filename === ROOT_CA || filename.endsWith(`/${ROOT_CA}`);

export const rootCaOf = (certificates: readonly CertificateItem[]): string | null =>
  normalizeFingerprint(certificates.find(isRootCa)?.fingerprint ?? '');

const candidates = ({ nodes }: Estate): readonly VeNode[] =>
  nodes
    .filter(({ online }) => online !== false)
    .toSorted((a, b) => Number(b.isLocal) - Number(a.isLocal))
    .slice(0, ASKED_AT_MOST);

/** Null where no node tells. Asked again where the endpoints of the config lead to a cluster of another name. */
export const readRootCa = async (
  ask: ProxmoxReader,
  estate: Estate,
  clusterName: string,
  state: SourceState,
): Promise<string | null> => {
  const kept = remembered.safeParse(state.get(STATE_KEY)).data;
  if (kept?.clusterName === clusterName) return kept.fingerprint;
  for (const { name } of candidates(estate)) {
    const read = await ask.list(apiPath('nodes', name, 'certificates', 'info'), certificateItem);
    const fingerprint = read.ok ? rootCaOf(read.value.items) : null;
    if (fingerprint === null) continue;
    state.set(STATE_KEY, { fingerprint, clusterName });
    return fingerprint;
  }
  return kept?.fingerprint ?? null;
};
