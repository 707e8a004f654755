/** Software arrays of the kernel (md). */
import { claimDefaults, hint, proof, type ResourceClaim } from '../../../signals/claim.ts';
import { type Collector, HOST_REF, type HostContext } from './host-context.ts';
import { type MdArray, mdReading, parseMdstat } from './mdstat.ts';
import { NOTHING, part } from './part.ts';
import { readLine, readNumber } from './root-reader.ts';
import { readUdevRecord } from './udev-record.ts';

const ARRAYS = 128;

/** Arrays belong to the machine; a container sees them, but they are not its own. */
export const collectMdArrays: Collector = async (host) => {
  if (host.environment.container !== null) return NOTHING;
  const read = await host.reader.readText('/proc/mdstat');
  if (read.kind === 'absent') return NOTHING;
  if (read.kind !== 'read') {
    const reason = '/proc/mdstat can not be read';
    return part({ gaps: [{ ref: HOST_REF, reads: ['array'], code: 'failed', reason }] });
  }
  const arrays = parseMdstat(read.text).filter(({ isContainer }) => !isContainer);
  const known = await Promise.all(arrays.slice(0, ARRAYS).map((array) => describe(host, array)));
  const isCut = read.cut || arrays.length > ARRAYS;
  const reason = `more than ${ARRAYS} arrays`;
  return part({
    claims: known.map(({ claim }) => claim),
    readings: known.map(({ reading }) => reading),
    gaps: isCut ? [{ ref: HOST_REF, reads: ['array'], code: 'cut_short', reason }] : [],
  });
};

const describe = async ({ reader, clock }: HostContext, array: MdArray) => {
  const sysfs = `/sys/block/${array.name}/md`;
  const [raidDisks, arrayState, sysfsUuid, device] = await Promise.all([
    readNumber(reader, `${sysfs}/raid_disks`),
    readLine(reader, `${sysfs}/array_state`),
    readLine(reader, `${sysfs}/uuid`),
    readLine(reader, `/sys/block/${array.name}/dev`),
  ]);
  const udev = device === null ? null : await readUdevRecord(reader, device);
  const reading = mdReading(array, raidDisks, arrayState === 'broken');
  const claim = claimOf(
    array,
    normalUuid(sysfsUuid ?? udev?.get('MD_UUID') ?? ''),
    reading.activeDevices < reading.requiredDevices,
  );
  return { claim, reading: { ...reading, ref: claim.ref, takenAtMs: clock.nowMs() } };
};

/** mdadm writes it in four groups with colons, sysfs in five with hyphens. */
const normalUuid = (uuid: string): string | null => {
  const digits = uuid.replaceAll(/[^0-9a-f]/gi, '').toLowerCase();
  return digits.length === 32 && !/^0+$/.test(digits) ? digits : null;
};

const claimOf = (array: MdArray, uuid: string | null, isDegraded: boolean): ResourceClaim => ({
  ...claimDefaults,
  ref: `array:${array.name}`,
  kind: 'array',
  name: array.name,
  parentRef: HOST_REF,
  keys: [...(uuid === null ? [] : [proof(`md-uuid:${uuid}`)]), hint(`array-name:${array.name}`, 'parent')],
  slug: array.name,
  status: array.active ? (isDegraded ? 'degraded' : 'running') : 'failed',
  expects: ['array'],
  facts: { arrayType: 'md', level: array.level, device: `/dev/${array.name}` },
});
