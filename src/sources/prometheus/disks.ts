/** The disks of one survey: node_exporter and smartctl_exporter may both tell of one. */
import type { Facts } from '../../../signals/resource.ts';
import { cleanText } from '../../runtime/text.ts';
import { type DiskIdentity, diskKeys, normaliseDiskText } from '../disk-keys.ts';
import type { SightingBuilder } from '../sighting-builder.ts';
import { type Labels, targetKey } from './answer.ts';
import { type Answers, label, lastValue } from './answers.ts';
import { isMadeUp, isPhysicalDisk, isSameDevice } from './disk-names.ts';
import type { Host, Hosts } from './hosts.ts';
import { prometheusLimits } from './prometheus-limits.ts';

export type DiskClass = 'hdd' | 'sata-ssd' | 'nvme';

export interface Disk {
  readonly ref: string;
  readonly hostRef: string;
  readonly device: string;
  /** Labels of its smartctl_device, where smartctl_exporter knows it. */
  readonly smart: Labels | null;
  readonly diskClass: DiskClass | null;
}

export interface Disks {
  readonly all: readonly Disk[];
  /** By `device` of smartctl_exporter's series. */
  ofSmart(labels: Labels): Disk | undefined;
}

interface Draft {
  readonly host: Host;
  readonly node: Labels | null;
  readonly smart: Labels | null;
}

const serialOf = (labels: Labels, name: 'serial' | 'serial_number'): string | null =>
  normaliseDiskText(label(labels, name));

/** Pairs what both exporters tell: by serial where both have one, else by name. */
const pair = (answers: Answers, hosts: Hosts): readonly Draft[] => {
  const smarts = Map.groupBy(answers.series('smart_devices'), ({ labels }) => hosts.of(labels));
  const drafts: Draft[] = [];
  const paired = new Set<Labels>();
  for (const { labels } of answers.series('node_disks')) {
    const host = hosts.ofNode(labels);
    if (host === null || !isPhysicalDisk(label(labels, 'device'))) continue;
    const device = label(labels, 'device');
    const candidates = (smarts.get(host) ?? []).map((series) => series.labels).filter((smart) => !paired.has(smart));
    // Mostly both agree on both; only where they do not, names are looked past.
    const named = candidates.find((other) => isSameDevice(device, label(other, 'device')));
    const serial = serialOf(labels, 'serial');
    const smart =
      serial === null || (named !== undefined && serialOf(named, 'serial_number') === serial)
        ? named
        : (candidates.find((other) => serialOf(other, 'serial_number') === serial) ?? named);
    if (smart !== undefined) paired.add(smart);
    drafts.push({ host, node: labels, smart: smart ?? null });
  }
  for (const [host, series] of smarts) {
    for (const { labels } of series) if (!paired.has(labels)) drafts.push({ host, node: null, smart: labels });
  }
  return drafts;
};

/** What smartctl heard from the disk itself goes before udev. */
const identityOf = ({ node, smart }: Draft): DiskIdentity => {
  const told = (labels: Labels | null, ...names: readonly string[]): string | null =>
    names
      .map((name) => (labels === null ? '' : label(labels, name)))
      .find((text) => text !== '' && text !== 'unknown') ?? null;
  // Of SCSI disks the model is vendor and product in one; the kernel and udev call the product its model.
  const model = told(smart, 'scsi_product', 'model_name') ?? told(node, 'model');
  const smartDevice = told(smart, 'device');
  return {
    wwn: told(node, 'wwn'),
    model,
    serial: told(smart, 'serial_number') ?? told(node, 'serial'),
    isExact: smart !== null,
    device: told(node, 'device') ?? (smartDevice !== null && isPhysicalDisk(smartDevice) ? smartDevice : null),
  };
};

const classOf = ({ node, smart }: Draft, rotating: ReadonlySet<string>): DiskClass | null => {
  const device = label(node ?? smart ?? {}, 'device');
  if (device.startsWith('nvme') || label(smart ?? {}, 'protocol') === 'NVMe') return 'nvme';
  const rotational = label(node ?? {}, 'rotational');
  if (rotational !== '') return rotational === '1' ? 'hdd' : 'sata-ssd';
  // smartctl_exporter leaves the rotation rate of solid-state disks out.
  if (smart !== null && rotating.size > 0) return rotating.has(smartKey(smart)) ? 'hdd' : 'sata-ssd';
  return null;
};

const smartKey = (labels: Labels): string => `${targetKey(labels)}\n${label(labels, 'device')}`;

export const buildDisks = (answers: Answers, hosts: Hosts, out: SightingBuilder): Disks => {
  const rotating = new Set(
    answers
      .series('smart_rotation')
      .filter((series) => lastValue(series) > 0)
      .map(({ labels }) => smartKey(labels)),
  );
  const all: Disk[] = [];
  // By target and device: asked for every series of every disk.
  const bySmart = new Map<string, Map<string, Disk>>();
  for (const draft of pair(answers, hosts)) {
    const { host, node, smart } = draft;
    const identity = identityOf(draft);
    const device = label(node ?? smart ?? {}, 'device');
    const disk: Disk = {
      ref: `disk:${host.ref}/${device}`,
      hostRef: host.ref,
      device,
      smart,
      diskClass: classOf(draft, rotating),
    };
    claimDisk(out, disk, identity);
    all.push(disk);
    if (smart === null) continue;
    const ofTarget = bySmart.get(targetKey(smart)) ?? new Map<string, Disk>();
    bySmart.set(targetKey(smart), ofTarget.set(label(smart, 'device'), disk));
  }
  return { all, ofSmart: (labels) => bySmart.get(targetKey(labels))?.get(label(labels, 'device')) };
};

const claimDisk = (out: SightingBuilder, disk: Disk, identity: DiskIdentity): void => {
  const clean = (text: string): string => cleanText(text.replaceAll('_', ' '), prometheusLimits.nameLength);
  const { model, serial } = identity;
  const slug = [model, serial].map((text) => (text === null ? null : normaliseDiskText(text)));
  const facts: Facts = {
    device: `/dev/${disk.device}`,
    ...(model === null ? {} : { model: clean(model) }),
    ...(serial === null ? {} : { serial: clean(serial) }),
    ...(disk.diskClass === null ? {} : { rotational: disk.diskClass === 'hdd', deviceClass: disk.diskClass }),
    ...(model !== null && isMadeUp(model) ? { virtual: true } : {}),
  };
  const device = cleanText(disk.device, prometheusLimits.nameLength);
  out.claim({
    ref: disk.ref,
    kind: 'disk',
    name: model === null ? device : `${device} (${clean(model)})`,
    parentRef: disk.hostRef,
    // A disk that only its controller shows has no kernel name; the exporter's own then holds it together.
    keys: diskKeys(identity.device === null ? { ...identity, device } : identity),
    slug: slug.includes(null) ? device : slug.join('-').toLowerCase(),
    expects: disk.smart !== null && !(model !== null && isMadeUp(model)) ? ['smart'] : [],
    facts,
  });
};
