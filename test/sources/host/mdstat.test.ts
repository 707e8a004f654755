import fc from 'fast-check';
import { expect, test } from 'vitest';
import { mdReading, parseMdstat } from '../../../src/sources/host/mdstat.ts';

const TEXT = `Personalities : [raid1] [raid6] [raid5] [raid4] [raid0] [linear]
md1 : active raid1 sda1[0] sdb1[1]
      1047552 blocks super 1.2 [2/2] [UU]

md2 : active raid5 sda2[0] sdb2[1](F) sdc2[3] sdd2[4](S)
      1953259520 blocks super 1.2 level 5, 512k chunk, algorithm 2 [3/2] [U_U]
      [=>...................]  recovery =  8.5% (16775552/195310144) finish=17.0min speed=259783K/sec
      bitmap: 0/8 pages [0KB], 65536KB chunk

md3 : active raid6 sde1[0] sdf1[1] sdg1[2] sdh1[3]
      7813735424 blocks super 1.2 level 6, 512k chunk, algorithm 2 [4/4] [UUUU]
      [=>...................]  check =  5.7% (114176/1993728) finish=0.2min speed=114176K/sec

md4 : active raid1 sdi1[0] sdj1[1]
      523968 blocks super 1.2 [2/2] [UU]
      resync=DELAYED

md5 : active (auto-read-only) raid10 sdk1[0] sdl1[1]
      4190208 blocks super 1.2 [2/2] [UU]
      resync=PENDING

md6 : active raid0 sdm1[0] sdn1[1]
      3886394368 blocks super 1.2 512k chunks

md7 : inactive sdo1[0](S)
      976630464 blocks super 1.2

md126 : active raid1 sdp[1] sdq[0]
      1855870976 blocks super external:/md127/0 [2/2] [UU]

md127 : inactive sdq[1](S) sdp[0](S)
      7932 blocks super external:imsm

md8 : active raid5 sdr1[0] sds1[1] sdt1[3](J) sdu1[2]
      100 blocks super 1.2 level 5, 512k chunk [3/3] [UUU]
      [==>..................]  reshape = 12.6% (37043392/292945152) finish=127.5min speed=33440K/sec

md9 : active linear sdv1[1] sdv2[0]
      2095104 blocks super 1.2 0k rounding

unused devices: <none>
`;

const arrays = new Map(parseMdstat(TEXT).map((array) => [array.name, array]));
const reading = (name: string, raidDisks: number | null = null, isBroken = false) => {
  const array = arrays.get(name);
  return array === undefined ? null : mdReading(array, raidDisks, isBroken);
};

test.each([
  ['md1', { level: 'raid1', requiredDevices: 2, activeDevices: 2, failedMembers: [], rebuild: null }],
  [
    'md2',
    {
      level: 'raid5',
      requiredDevices: 3,
      activeDevices: 2,
      failedMembers: ['sdb2'],
      rebuild: { action: 'recovery', doneRatio: 0.085 },
    },
  ],
  ['md3', { requiredDevices: 4, activeDevices: 4, rebuild: { action: 'check', doneRatio: 0.057 } }],
  ['md4', { activeDevices: 2, rebuild: { action: 'resync', doneRatio: 0 } }],
  ['md5', { level: 'raid10', activeDevices: 2, rebuild: null }],
  ['md6', { level: 'raid0', requiredDevices: 2, activeDevices: 2, failedMembers: [] }],
  ['md7', { level: 'unknown', requiredDevices: 1, activeDevices: 0 }],
  ['md126', { level: 'raid1', requiredDevices: 2, activeDevices: 2 }],
  ['md8', { requiredDevices: 3, activeDevices: 3, rebuild: { action: 'reshape', doneRatio: 0.126 } }],
  ['md9', { level: 'linear', requiredDevices: 2, activeDevices: 2 }],
])('%s is %j', (name, expected) => {
  expect(reading(name)).toMatchObject({ kind: 'array', ...expected });
});

test('an array without redundancy that lost a member works no more', () => {
  expect(reading('md6', 2, true)).toMatchObject({ requiredDevices: 2, activeDevices: 0 });
});

test('sysfs knows better how many an array needs where mdstat does not say', () => {
  expect(reading('md7', 3)).toMatchObject({ requiredDevices: 3, activeDevices: 0 });
});

test('a container of vendor metadata is told from an array that failed to start', () => {
  expect(
    parseMdstat(TEXT)
      .filter(({ isContainer }) => isContainer)
      .map(({ name }) => name),
  ).toEqual(['md127']);
});

test('without arrays there are none', () => {
  expect(parseMdstat('Personalities : \nunused devices: <none>\n')).toEqual([]);
});

test('no text makes it throw, or claim more devices than are needed', () => {
  fc.assert(
    fc.property(
      fc.string({ unit: fc.constantFrom(...'md0 :activeraid1[/]_U()F=%.\n'.split('')), maxLength: 200 }),
      (text) => {
        for (const array of parseMdstat(text)) {
          const { requiredDevices, activeDevices } = mdReading(array, null, false);
          expect(activeDevices).toBeLessThanOrEqual(requiredDevices);
        }
      },
    ),
  );
});
