/** Readings of space, arrays, pools and disks, as facts. */
import type {
  ArrayReading,
  CapacityReading,
  FilesystemReading,
  SmartAttribute,
  SmartReading,
  ThinPoolReading,
  ZfsPoolReading,
} from '../../../../signals/reading.ts';
import { bytes, instant, percent, ratio, usedShare } from '../figures.ts';
import { facts, listedIfAny, type ShownFacts } from '../shown-facts.ts';

const space = ({ usedBytes, availableBytes, sizeBytes }: Omit<CapacityReading, 'kind'>) => ({
  used: ratio(usedShare(usedBytes, availableBytes)),
  free: bytes(availableBytes),
  size: bytes(sizeBytes),
});

export const showFilesystem = (filesystem: FilesystemReading): ShownFacts => {
  const { inodesTotal, inodesFree, superblockReadOnly } = filesystem;
  const counted = inodesTotal !== null && inodesTotal > 0 && inodesFree !== null;
  return facts({
    ...space(filesystem),
    inodesFree: counted ? ratio(inodesFree / inodesTotal) : undefined,
    readOnly: superblockReadOnly === false ? undefined : superblockReadOnly,
  });
};

export const showCapacity = (capacity: CapacityReading): ShownFacts => facts(space(capacity));

export const showThinPool = ({ dataUsedRatio, metadataUsedRatio }: ThinPoolReading): ShownFacts =>
  facts({ dataUsed: ratio(dataUsedRatio), metadataUsed: ratio(metadataUsedRatio) });

export const showArray = (array: ArrayReading): ShownFacts =>
  facts({
    level: array.level,
    devices: `${array.activeDevices} of ${array.requiredDevices} active`,
    failedMembers: listedIfAny(array.failedMembers, (name) => name),
    rebuild:
      array.rebuild === null ? undefined : `${array.rebuild.action} ${ratio(array.rebuild.doneRatio) ?? ''}`.trim(),
  });

export const showZfsPool = (pool: ZfsPoolReading): ShownFacts => {
  const troubled = pool.members.filter(
    (member) =>
      !['ONLINE', 'AVAIL', 'INUSE'].includes(member.state) ||
      member.readErrors + member.writeErrors + member.checksumErrors > 0,
  );
  return facts({
    state: pool.state,
    redundancyLeft: pool.redundancyLeft,
    dataErrors: pool.dataErrors,
    members: pool.members.length,
    troubledMembers: listedIfAny(troubled, (member) =>
      facts({
        name: member.name,
        state: member.state,
        errors: `${member.readErrors} read, ${member.writeErrors} write, ${member.checksumErrors} checksum`,
      }),
    ),
    lastScan:
      pool.scan === null
        ? null
        : `${pool.scan.kind} ${pool.scan.state} ${instant(pool.scan.finishedAtMs ?? pool.scan.startedAtMs) ?? ''}`.trim(),
  });
};

/** What tells of a disk's health by its number, on all drives (reallocated, reported, pending, offline, CRC). */
const TELLING = new Set([5, 187, 197, 198, 199]);

const isTelling = ({ id, count, whenFailed }: SmartAttribute): boolean =>
  whenFailed !== 'never' || (TELLING.has(id) && count > 0);

const showAttribute = ({ id, name, count, value, threshold, whenFailed }: SmartAttribute): ShownFacts =>
  facts({
    id,
    name,
    count,
    value: value ?? undefined,
    threshold: threshold ?? undefined,
    failed: whenFailed === 'never' ? undefined : whenFailed,
  });

export const showSmart = (smart: SmartReading): ShownFacts => {
  const { nvme, scsi, selfTests } = smart;
  return facts({
    class: smart.deviceClass,
    healthPassed: smart.healthPassed,
    logRead: smart.logRead || null,
    attributes: smart.attributes.length > 0 ? smart.attributes.length : undefined,
    tellingAttributes: listedIfAny(smart.attributes.filter(isTelling), showAttribute),
    nvme:
      nvme === null
        ? undefined
        : facts({
            criticalWarning: nvme.criticalWarning,
            spare: `${percent(nvme.availableSparePercent)} (threshold ${percent(nvme.availableSpareThresholdPercent)})`,
            mediaErrors: nvme.mediaErrors,
          }),
    scsi: scsi === null ? undefined : facts({ ...scsi }),
    wearUsed: percent(smart.wearUsedPercent) ?? undefined,
    powerOnHours: smart.powerOnHours,
    lastSelfTests: listedIfAny(selfTests.slice(0, 3), (test) =>
      facts({ kind: test.kind, passed: test.passed, atPowerOnHours: test.atPowerOnHours ?? undefined }),
    ),
  });
};
