/** The machine that the backup server runs on: who it is, its clock, its root file system, its certificate. */
import { hint } from '../../../../signals/claim.ts';
import { cleanText } from '../../../runtime/text.ts';
import { isDue } from '../../proxmox/due.ts';
import { proxmoxBackupLimits } from '../proxmox-backup-limits.ts';
import { namesOf } from '../server.ts';
import { HOST_REF, type PbsArea, type PbsWorld } from '../world.ts';

const ROOT_REF = 'filesystem:/';
/** The server tells whole seconds. */
const RESOLUTION_MS = 1_000;

export const hostArea: PbsArea = {
  name: 'host',
  read: async (world) => {
    claimHost(world);
    readRoot(world);
    readClock(world);
    await readCertificate(world);
  },
};

const claimHost = ({ out, server, host }: PbsWorld): void => {
  const name = cleanText(server.name, proxmoxBackupLimits.nameLength);
  const { version, status, bootedAtS } = host;
  out.claim({
    ref: HOST_REF,
    kind: 'host',
    name,
    slug: name,
    keys: [
      ...namesOf(server).map((known) => hint(`pbs-server:${known}`)),
      // Uptime and time are whole seconds from two answers: the boot lies within one of them.
      ...(bootedAtS === null ? [] : [-1, 0, 1].map((by) => hint(`hostname-boot:${name}/${bootedAtS + by}`))),
      hint(`pbs-server-named:${name}`),
    ],
    facts: {
      product: 'proxmox-backup',
      ...(version === null ? {} : { version: cleanText(version, 64) }),
      ...(status?.kversion === undefined ? {} : { kernel: cleanText(status.kversion, 128) }),
      ...(status?.cpuinfo?.cpus === undefined ? {} : { cpuCount: status.cpuinfo.cpus }),
    },
  });
};

const readRoot = ({ clock, host, out }: PbsWorld): void => {
  const { total, used, avail } = host.status?.root ?? {};
  if (host.statusFailure !== null) {
    out.gap({ ref: HOST_REF, reads: ['capacity'], ...host.statusFailure });
  }
  if (total === undefined || used === undefined || avail === undefined || total === 0) return;
  out.claim({
    ref: ROOT_REF,
    kind: 'filesystem',
    name: '/',
    slug: 'root',
    parentRef: HOST_REF,
    keys: [hint('fs-mount:/', 'parent')],
    // Nothing is told of inodes and of being writable.
    expects: ['capacity'],
    facts: { mountPoint: '/' },
  });
  out.read(ROOT_REF, { kind: 'capacity', sizeBytes: total, usedBytes: used, availableBytes: avail }, clock.nowMs());
};

const readClock = (world: PbsWorld): void => {
  const { host, out } = world;
  out.expect(HOST_REF, 'clock');
  if (host.time !== null) {
    const { time, askedAtMs, receivedAtMs } = host.time;
    // The second has gone on for half of itself, and the answer was made half-way between.
    const offsetMs = Math.round(time * 1000 + RESOLUTION_MS / 2 - (askedAtMs + receivedAtMs) / 2);
    const reading = { synchronised: null, offsetMs, estimatedErrorMs: null, resolutionMs: RESOLUTION_MS } as const;
    out.read(HOST_REF, { kind: 'clock', ...reading }, receivedAtMs);
    return;
  }
  const notDue = { code: 'not_due', reason: 'the clock is compared once an hour' } as const;
  out.gap({ ref: HOST_REF, reads: ['clock'], ...(host.timeFailure ?? notDue) });
};

/**
 * As it is shown to whoever connects: reading it through the API wants the right to change it (Sys.Modify on
 * /system/certificates).
 */
const readCertificate = async (world: PbsWorld): Promise<void> => {
  const { clock, out, request, showCertificate, server } = world;
  if (showCertificate === null) return;
  out.expect(HOST_REF, 'certificate');
  const gap = { ref: HOST_REF, reads: ['certificate'] } as const;
  if (!isDue(world, 'daily')) {
    out.gap({ ...gap, code: 'not_due', reason: 'the certificate is looked at once a day' });
    return;
  }
  const peer = await showCertificate(request.signal);
  if (peer === null || !Number.isFinite(peer.notAfterMs)) {
    out.gap({ ...gap, code: 'malformed', reason: `${server.name} shows no certificate whose dates can be read` });
    return;
  }
  out.read(
    HOST_REF,
    {
      kind: 'certificate',
      subject: 'proxy.pem',
      notBeforeMs: Number.isFinite(peer.notBeforeMs) ? peer.notBeforeMs : null,
      notAfterMs: peer.notAfterMs,
      invalidReason: null,
      renewsItself: false,
    },
    clock.nowMs(),
  );
};
