import { expect, test } from 'vitest';
import { collectMemoryErrors } from '../../../src/sources/host/memory-errors.ts';
import { hostContext } from '../../support/host-context.ts';

const EDAC = '/sys/devices/system/edac/mc';

test('controllers are summed', async () => {
  const files = {
    [`${EDAC}/mc0/ce_count`]: '3\n',
    [`${EDAC}/mc0/ue_count`]: '0\n',
    [`${EDAC}/mc1/ce_count`]: '4\n',
    [`${EDAC}/mc1/ue_count`]: '1\n',
    [`${EDAC}/power/control`]: 'auto',
  };
  expect((await collectMemoryErrors(hostContext({ files }))).readings).toMatchObject([
    { correctable: 7, uncorrectable: 1 },
  ]);
});

test('without ECC nothing is expected', async () => {
  expect((await collectMemoryErrors(hostContext({}))).additions).toEqual([]);
});

test('a counter that cannot be read is a gap, not zero', async () => {
  const files = { [`${EDAC}/mc0/ce_count`]: '3\n' };
  expect(await collectMemoryErrors(hostContext({ files }))).toMatchObject({
    readings: [],
    gaps: [{ reads: ['memory_errors'], code: 'failed' }],
  });
});
