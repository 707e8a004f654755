/** Certificates of a node: the one of its API, and the CA that signed it. */

import type { ReadingBody } from '../../../signals/reading.ts';
import { cleanText } from '../../runtime/text.ts';
import { isDue } from '../proxmox/due.ts';
import { apiPath } from '../proxmox/proxmox-reader.ts';
import type { VeNode } from './estate.ts';
import { proxmoxVeLimits } from './proxmox-ve-limits.ts';
import { type CertificateItem, certificateItem, isRootCa } from './root-ca.ts';
import type { VeWorld } from './world.ts';

/** What the operator put in its place is what is served then. */
const CUSTOM = 'pveproxy-ssl.pem';
const OWN = 'pve-ssl.pem';

/** A reading of the node itself, so there is nothing to remember between. */
export const readCertificates = async (world: VeWorld, node: VeNode): Promise<void> => {
  const { ask, clock, out } = world;
  if (node.online === false) return;
  out.expect(node.ref, 'certificate');
  if (!isDue(world, 'daily')) {
    out.gap({ ref: node.ref, reads: ['certificate'], code: 'not_due', reason: 'certificates are read once a day' });
    return;
  }
  const read = await ask.list(apiPath('nodes', node.name, 'certificates', 'info'), certificateItem);
  if (!read.ok) {
    out.gap({ ref: node.ref, reads: ['certificate'], code: read.failure.code, reason: read.failure.reason });
    return;
  }
  for (const reading of servedOf(read.value.items).flatMap(toReading)) out.read(node.ref, reading, clock.nowMs());
};

const nameOf = ({ filename = '' }: CertificateItem): string => filename.replace(/^.*\//, '');

const servedOf = (certificates: readonly CertificateItem[]): readonly CertificateItem[] => {
  const custom = certificates.filter((one) => nameOf(one) === CUSTOM);
  const own = certificates.filter((one) => nameOf(one) === OWN);
  return [...(custom.length > 0 ? custom : own), ...certificates.filter(isRootCa)].slice(
    0,
    proxmoxVeLimits.certificatesPerNode,
  );
};

const toReading = (certificate: CertificateItem): readonly ReadingBody[] => {
  const { notafter, notbefore, subject } = certificate;
  if (notafter === undefined) return [];
  return [
    {
      kind: 'certificate',
      // The file rather than the subject: a renewed one is the same thing.
      subject: cleanText(nameOf(certificate) || (subject ?? ''), proxmoxVeLimits.nameLength),
      notBeforeMs: notbefore === undefined ? null : notbefore * 1000,
      notAfterMs: notafter * 1000,
      invalidReason: null,
      renewsItself: nameOf(certificate) === OWN,
    },
  ];
};
