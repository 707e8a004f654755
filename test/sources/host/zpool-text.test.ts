import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { zpoolReading } from '../../../src/sources/host/zpool-status.ts';
import { parseZpoolText } from '../../../src/sources/host/zpool-text.ts';

const section = (name: string, state: string, scan: string, config: string, errors: string) => `  pool: ${name}
 state: ${state}
status: One or more devices could not be used because the label is missing or
\tinvalid.  Sufficient replicas exist for the pool to continue
\tfunctioning in a degraded state.
action: Replace the device using 'zpool replace'.
   see: https://openzfs.github.io/openzfs-docs/msg/ZFS-8000-4J
  scan: ${scan}
config:

\tNAME                      STATE     READ WRITE CKSUM
${config}
errors: ${errors}
`;

const TANK = section(
  'tank',
  'DEGRADED',
  'scrub repaired 0B in 02:13:45 with 0 errors on Sun Nov  9 02:37:46 2025',
  `\ttank                      DEGRADED     0     0     0
\t  raidz2-0                DEGRADED     0     0     0
\t    sda                   ONLINE       0     0     0
\t    sdb                   ONLINE       0     0    14
\t    9237849872349823      UNAVAIL      3   120     0  was /dev/sdc1
\t    spare-3               DEGRADED     0     0     0
\t      sdd                 FAULTED      0     0     0  too many errors
\t      sdh                 ONLINE       0     0     0
\tspecial\t
\t  mirror-1                ONLINE       0     0     0
\t    nvme0n1               ONLINE       0     0     0
\t    nvme1n1               ONLINE       0     0     0
\tlogs\t
\t  nvme2n1                 ONLINE       0     0     0
\tcache
\t  sde                     ONLINE       0     0     0
\tspares
\t  sdf                     AVAIL   
\t  sdh                     INUSE     currently in use
`,
  "2 data errors, use '-v' for a list",
);
const RPOOL = section(
  'rpool',
  'ONLINE',
  'none requested',
  '\trpool  ONLINE  0  0  0\n\t  sdg  ONLINE  0  0  0\n',
  'No known data errors',
);

describe('pools in text', () => {
  const { pools, malformed } = parseZpoolText(`${RPOOL}\n${TANK}`);
  const tank = pools.find(({ name }) => name === 'tank');

  test('each has its section', () => {
    expect(pools.map(({ name, state }) => [name, state])).toEqual([
      ['rpool', 'ONLINE'],
      ['tank', 'DEGRADED'],
    ]);
    expect(malformed).toEqual([]);
  });

  test('members are all leaves, with their errors', () => {
    const reading = tank === undefined ? null : zpoolReading(tank, null);
    expect(reading?.members.map(({ name, state }) => `${name} ${state}`)).toEqual([
      'sda ONLINE',
      'sdb ONLINE',
      '9237849872349823 UNAVAIL',
      'sdd FAULTED',
      'sdh ONLINE',
      'nvme0n1 ONLINE',
      'nvme1n1 ONLINE',
      'nvme2n1 ONLINE',
      'sde ONLINE',
      'sdf AVAIL',
      'sdh INUSE',
    ]);
    expect(reading?.members[2]).toMatchObject({ readErrors: 3, writeErrors: 120 });
    expect(reading).toMatchObject({ redundancyLeft: true, dataErrors: 2 });
  });

  test('the scrub has its time in UTC', () => {
    expect(tank?.scan).toEqual({
      kind: 'scrub',
      state: 'finished',
      startedAtMs: null,
      finishedAtMs: Date.UTC(2025, 10, 9, 2, 37, 46),
    });
  });
});

test.each([
  ['none requested', null],
  [
    'scrub in progress since Tue Nov 11 08:00:00 2025\n\t1.2T / 4T scanned',
    { kind: 'scrub', state: 'running', startedAtMs: Date.UTC(2025, 10, 11, 8) },
  ],
  [
    'scrub paused since Tue Nov 11 09:00:00 2025\n\tscrub started on Tue Nov 11 08:00:00 2025',
    { kind: 'scrub', state: 'running', startedAtMs: Date.UTC(2025, 10, 11, 8) },
  ],
  [
    'scrub canceled on Tue Nov 11 08:00:00 2025',
    { kind: 'scrub', state: 'canceled', finishedAtMs: Date.UTC(2025, 10, 11, 8) },
  ],
  ['resilver in progress since Tue Nov 11 08:00:00 2025', { kind: 'resilver', state: 'running' }],
  ['resilver (draid1:3d:5c:1s-0) in progress since Tue Nov 11 08:00:00 2025', { kind: 'resilver', state: 'running' }],
  ['resilvered 1.2G in 00:01:02 with 0 errors on Tue Nov 11 08:00:00 2025', { kind: 'resilver', state: 'finished' }],
  ['scrub repaired 0 in 1h2m with 0 errors on Sun Nov  9 02:37:46 2025', { kind: 'scrub', state: 'finished' }],
  [
    'scrub repaired 0B in 02:13:45 with 0 errors on Sun Nov  9 02:37:46 2025\n  scan: resilvered 1G in 00:01:00 with 0 errors on Mon Nov 10 02:37:46 2025',
    { kind: 'scrub', state: 'finished' },
  ],
])('the scan %j', (scan, expected) => {
  const [pool] = parseZpoolText(
    section('p', 'ONLINE', scan, '\tp  ONLINE  0 0 0\n\t  sda  ONLINE  0 0 0\n', 'No known data errors'),
  ).pools;
  if (expected === null) expect(pool?.scan).toBeNull();
  else expect(pool?.scan).toMatchObject(expected);
});

test.each([
  ['No known data errors', 0],
  ["7 data errors, use '-v' for a list", 7],
  ['List of errors unavailable (insufficient user privileges)', 1],
  ['Permanent errors have been detected in the following files:', 1],
])('the errors line %j means %i', (errors, count) => {
  expect(
    parseZpoolText(section('p', 'ONLINE', 'none requested', '\tp  ONLINE  0 0 0\n', errors)).pools[0]?.dataErrors,
  ).toBe(count);
});

test('a pool whose state is unknown is named as not understood', () => {
  expect(parseZpoolText('  pool: odd\n state: DREAMING\n')).toEqual({ pools: [], malformed: ['odd'] });
});

test('no text makes it throw', () => {
  fc.assert(fc.property(fc.string(), (text) => parseZpoolText(text).pools.length === 0));
  fc.assert(fc.property(fc.nat(TANK.length), (length) => parseZpoolText(TANK.slice(0, length)).pools.length <= 1));
});
