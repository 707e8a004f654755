import { expect, test } from 'vitest';
import { parseMountinfo } from '../../../src/sources/host/mountinfo.ts';
import { isMeantWritable, parseFstab } from '../../../src/sources/host/writable-mounts.ts';

const fstab = parseFstab(`# comment
UUID=1 / ext4 errors=remount-ro 0 1
/dev/sdb1 /archive ext4 noatime,ro 0 2
/dev/sdc1 /my\\040data xfs defaults
broken
`);

test('fstab says what the operator wants', () => {
  expect(Object.fromEntries(fstab)).toEqual({ '/': 'rw', '/archive': 'ro', '/my data': 'rw' });
});

const nothing = { fstab: new Map(), seenWritable: new Set<string>(), trueOptions: true };

test.each([
  ['a writable one', 'rw', 'rw', '/x', nothing, true],
  [
    'read-only, as fstab wants it',
    'rw',
    'ro',
    '/archive',
    { ...nothing, fstab, seenWritable: new Set(['/archive']) },
    false,
  ],
  ['read-only, though fstab wants it writable', 'ro', 'ro', '/', { ...nothing, fstab }, true],
  ['read-only, and seen writable before', 'ro', 'ro', '/x', { ...nothing, seenWritable: new Set(['/x']) }, true],
  ['read-only, while its mount says rw: the kernel did it', 'rw', 'ro', '/x', nothing, true],
  ['read-only in both', 'ro', 'ro', '/x', nothing, false],
  ['read-only, while a hardened service’s mount says rw', 'rw', 'ro', '/x', { ...nothing, trueOptions: false }, false],
])('%s', (_, mountOptions, superOptions, mountPoint, evidence, meant) => {
  const [mount] = parseMountinfo(`1 2 8:1 / ${mountPoint} ${mountOptions} - ext4 /dev/sda1 ${superOptions}`).mounts;
  expect(mount !== undefined && isMeantWritable(mount, evidence)).toBe(meant);
});
