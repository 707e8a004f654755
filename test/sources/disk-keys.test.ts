import { describe, expect, test } from 'vitest';
import { type DiskIdentity, diskKeys, normaliseDiskText, normaliseWwn } from '../../src/sources/disk-keys.ts';

const nobody: DiskIdentity = { wwn: null, model: null, serial: null, isExact: true, device: null };

describe('a WWN', () => {
  test.each([
    ['0x50014EE2B1C2D3E4', '50014ee2b1c2d3e4'],
    ['naa.5000c500a1b2c3d4', '5000c500a1b2c3d4'],
    ['eui.002538b111b2c3d4', '002538b111b2c3d4'],
    ['naa.600508b1001c4d5e6f708192a3b4c5d6', '600508b1001c4d5e6f708192a3b4c5d6'],
  ])('%s is written as %s', (wwn, normal) => {
    expect(normaliseWwn(wwn)).toBe(normal);
  });

  test.each([
    '',
    '0x0000000000000000',
    'naa.5000000000000000',
    'ffffffffffffffff',
    't10.ATA     WDC',
    'nvme.1987-30303030',
  ])('%j is none', (wwn) => {
    expect(normaliseWwn(wwn)).toBeNull();
  });
});

test('smartctl and udev write one model differently, and the key is the same', () => {
  expect(normaliseDiskText('WDC WD40EFRX-68N32N0')).toBe(normaliseDiskText('WDC_WD40EFRX-68N32N0'));
  expect(normaliseDiskText('Samsung SSD 980 PRO 1TB                 ')).toBe('Samsung_SSD_980_PRO_1TB');
  expect(normaliseDiskText(' 0000 ')).toBeNull();
});

describe('the keys of a disk', () => {
  test('a WWN proves it, model and serial hint at it, its name does so within its host', () => {
    const keys = diskKeys({ ...nobody, wwn: '0x50014ee2b1c2d3e4', model: 'WDC X', serial: 'WD-1', device: 'sda' });
    expect(keys).toEqual([
      { key: 'disk-wwn:50014ee2b1c2d3e4', scope: 'world', strength: 'proof' },
      { key: 'disk-serial:WDC_X/WD-1', scope: 'world', strength: 'hint' },
      { key: 'disk-device:sda', scope: 'parent', strength: 'hint' },
    ]);
  });

  test('without a WWN an exact model and serial prove it', () => {
    expect(diskKeys({ ...nobody, model: 'X', serial: '1' })).toEqual([
      { key: 'disk-serial:X/1', scope: 'world', strength: 'proof' },
    ]);
  });

  test('a model that was cut off, or is a bridge’s, proves nothing', () => {
    expect(diskKeys({ ...nobody, model: 'X', serial: '1', isExact: false })[0]?.strength).toBe('hint');
  });
});
