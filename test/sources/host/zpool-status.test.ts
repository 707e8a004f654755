import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parseCount, redundancyLeft, type Vdev } from '../../../src/sources/host/zpool-status.ts';

const vdev = (name: string, children: readonly Vdev[] = [], state: Vdev['state'] = 'ONLINE'): Vdev => ({
  name,
  state,
  readErrors: 0,
  writeErrors: 0,
  checksumErrors: 0,
  children,
});
const ok = (name = 'd') => vdev(name);
const bad = (name = 'x') => vdev(name, [], 'UNAVAIL');

describe('redundancy is left where every vdev can still lose a device', () => {
  test.each<[string, readonly Vdev[], boolean, boolean | null]>([
    ['a single disk', [ok()], false, false],
    ['a whole mirror', [vdev('mirror-0', [ok(), ok()])], false, true],
    ['a mirror with one left', [vdev('mirror-0', [ok(), bad()])], false, false],
    ['a mirror of three with two left', [vdev('mirror-0', [ok(), ok(), bad()])], false, true],
    [
      'one good mirror beside a bad one',
      [vdev('mirror-0', [ok(), ok()]), vdev('mirror-1', [ok(), bad()])],
      false,
      false,
    ],
    ['raidz1 that lost one', [vdev('raidz1-0', [ok(), ok(), bad()])], false, false],
    ['raidz2 that lost one', [vdev('raidz2-0', [ok(), ok(), ok(), bad()])], false, true],
    ['raidz3 that lost three', [vdev('raidz3-0', [ok(), ok(), bad(), bad(), bad()])], false, false],
    ['draid2 that lost one', [vdev('draid2:4d:8c:1s-0', [ok(), ok(), ok(), bad()])], false, true],
    ['a mirror on its spare', [vdev('mirror-0', [ok(), vdev('spare-1', [bad(), ok()])])], false, true],
    ['a mirror whose spare is still filling', [vdev('mirror-0', [ok(), vdev('spare-1', [bad(), ok()])])], true, false],
    ['a mirror that replaces a good disk', [vdev('mirror-0', [ok(), vdev('replacing-1', [ok(), ok()])])], true, true],
    ['a tree that could not be read', [], false, null],
  ])('%s', (_, vdevs, isResilvering, left) => {
    expect(redundancyLeft(vdevs, isResilvering)).toBe(left);
  });

  test('losing one more never brings it back', () => {
    const leaf = fc.boolean().map((works) => (works ? ok() : bad()));
    const group = fc.tuple(
      fc.constantFrom('mirror-0', 'raidz1-0', 'raidz2-0'),
      fc.array(leaf, { minLength: 2, maxLength: 6 }),
    );
    fc.assert(
      fc.property(group, fc.nat(), ([name, children], at) => {
        const before = redundancyLeft([vdev(name, children)], false);
        const worse = children.map((child, index) => (index === at % children.length ? bad() : child));
        if (before === false) expect(redundancyLeft([vdev(name, worse)], false)).toBe(false);
      }),
    );
  });
});

test.each([
  ['0', 0],
  ['12', 12],
  ['1.23K', 1_260],
  ['2M', 2_097_152],
  ['-', 0],
  ['', 0],
])('the count %j is %i', (text, count) => {
  expect(parseCount(text)).toBe(count);
});
