import { expect, test } from 'vitest';
import { attributeCount, smartAttributes } from '../../../src/sources/host/smart-attribute.ts';

test.each([
  [5, '0', 0, 0],
  [9, '2725 (151 234 0)', 167_031_278_144_165, 2_725],
  [9, '47657h+12m+31.123s', 4_417_953_684_533_483, 47_657],
  [190, '26 (Min/Max 25/32)', 538_509_338, 26],
  [194, '26 (0 23 0 0 0)', 98_784_247_834, 26],
  [1, '0/239307048', 239_307_048, 0],
  [188, '0 0 12', 12, 12],
  [188, '1 1 12', 4_295_032_844, 12],
  [188, '51540393996', 51_540_393_996, 12],
  [188, '4', 4, 4],
  [196, '3 (2000 0)', 131_072_003, 3],
  [173, '0x000a0b0c0d0e', 43_062_082_830_606, 0x0a0b0c0d0e],
  [231, '?', 77, 77],
])('attribute %i printed as %j counts %4$i', (id, string, value, count) => {
  expect(attributeCount({ id, raw: { string, value } })).toBe(count);
});

test('entries that are none are left out, and what is missing is null', () => {
  const table = [
    {
      id: 5,
      name: 'Reallocated_Sector_Ct',
      raw: { value: 1, string: '1' },
      when_failed: 'now',
      flags: { prefailure: true },
    },
    { id: 0, name: 'none', raw: { value: 1, string: '1' } },
    { id: 9 },
    'nonsense',
    null,
  ];
  expect(smartAttributes(table)).toEqual([
    {
      id: 5,
      name: 'Reallocated_Sector_Ct',
      value: null,
      worst: null,
      threshold: null,
      prefail: true,
      count: 1,
      whenFailed: 'now',
    },
  ]);
});
