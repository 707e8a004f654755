import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { isReadOnly, parseMountinfo } from '../../../src/sources/host/mountinfo.ts';

const line = (superOptions: string, mountOptions = 'rw,relatime') =>
  `99 31 8:33 / /mnt/old\\040disk ${mountOptions} shared:46 master:2 - ext4 /dev/sdc1 ${superOptions}\n`;

test('a line has its fields before and after a hyphen, whatever optional ones lie between', () => {
  expect(parseMountinfo(line('ro,errors=continue'))).toEqual({
    mounts: [
      {
        device: '8:33',
        root: '/',
        mountPoint: '/mnt/old disk',
        mountOptions: ['rw', 'relatime'],
        fsType: 'ext4',
        source: '/dev/sdc1',
        superOptions: ['ro', 'errors=continue'],
      },
    ],
    malformed: 0,
  });
});

test('a line without optional fields is one too', () => {
  expect(parseMountinfo('22 27 0:21 / /proc rw - proc proc rw').mounts).toMatchObject([{ fsType: 'proc' }]);
});

test('other lines are counted, and the rest is kept', () => {
  const { mounts, malformed } = parseMountinfo(`nonsense\n${line('rw')}1 2 3 4 5 6 7\n`);
  expect(mounts).toHaveLength(1);
  expect(malformed).toBe(2);
});

test('no text makes it throw', () => {
  fc.assert(fc.property(fc.string(), (text) => parseMountinfo(text).mounts.length <= text.length));
});

describe('read-only is what the superblock says', () => {
  test.each([
    ['rw,errors=remount-ro', 'ro,relatime', false],
    ['ro,errors=remount-ro', 'rw,relatime', true],
    ['rw,emergency_ro', 'rw', true],
    ['rw,shutdown', 'rw', true],
    ['rw,errors=ro', 'rw', false],
  ])('%s under mount options %s: %s', (superOptions, mountOptions, readOnly) => {
    const [mount] = parseMountinfo(line(superOptions, mountOptions)).mounts;
    expect(mount !== undefined && isReadOnly(mount)).toBe(readOnly);
  });
});
