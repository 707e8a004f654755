/** Who the machine is. */
import { claimDefaults, hint, type IdentityKey, proof, type ResourceClaim } from '../../../signals/claim.ts';
import type { Facts } from '../../../signals/resource.ts';
import { cleanText } from '../../runtime/text.ts';
import { HOST_REF, type HostContext } from './host-context.ts';
import { physicalMacs } from './network-cards.ts';
import { type RootReader, readLine } from './root-reader.ts';

const NAME_CHARACTERS = 253;

export const hostClaim = async (host: HostContext): Promise<ResourceClaim> => {
  const [hostname, machineId, macs, facts] = await Promise.all([
    readHostname(host.reader),
    readMachineId(host.reader),
    physicalMacs(host.reader),
    readFacts(host),
  ]);
  const bootedAtSeconds = Math.round(host.procStat.bootedAtMs / 1_000);
  const keys: readonly IdentityKey[] = [
    ...(machineId === null ? [] : [proof(`machine-id:${machineId}`)]),
    hint(`hostname-boot:${hostname}/${bootedAtSeconds}`),
    ...macs.map((mac) => hint(`hostname-mac:${hostname}/${mac}`)),
  ];
  return { ...claimDefaults, ref: HOST_REF, kind: 'host', name: hostname, keys, slug: hostname, facts };
};

/** Below another root the kernel would answer with the name of patrold's own container. */
export const readHostname = async (reader: RootReader): Promise<string> => {
  const paths = ['/proc/sys/kernel/hostname', '/etc/hostname'];
  for (const path of reader.root === '/' ? paths : paths.toReversed()) {
    const name = cleanText((await readLine(reader, path)) ?? '', NAME_CHARACTERS);
    if (name !== '') return name;
  }
  return 'localhost';
};

/** machine-id(5): 32 hex digits; `uninitialized` in images that have not booted yet. */
export const readMachineId = async (reader: RootReader): Promise<string | null> => {
  for (const path of ['/etc/machine-id', '/var/lib/dbus/machine-id']) {
    const id = (await readLine(reader, path))?.toLowerCase() ?? '';
    if (/^[0-9a-f]{32}$/.test(id) && !/^0+$/.test(id)) return id;
  }
  return null;
};

export const readOsName = async (reader: RootReader): Promise<string | null> => {
  for (const path of ['/etc/os-release', '/usr/lib/os-release']) {
    const name = /^PRETTY_NAME="?([^"\n]+)"?$/m.exec((await readLine(reader, path)) ?? '')?.[1];
    if (name !== undefined) return cleanText(name, 128);
  }
  return null;
};

const readFacts = async ({ reader, procStat, environment }: HostContext): Promise<Facts> => {
  const [os, kernel] = await Promise.all([readOsName(reader), readLine(reader, '/proc/sys/kernel/osrelease')]);
  return {
    ...(os === null ? {} : { os }),
    ...(kernel === null ? {} : { kernel: cleanText(kernel, 128) }),
    cpuCount: procStat.cpuCount,
    bootedAtMs: procStat.bootedAtMs,
    inContainer: environment.container !== null,
  };
};
