import { describe, expect, test } from 'vitest';
import { collectThinPools, parseLvs, splitMappingName } from '../../../src/sources/host/thin-pools.ts';
import { type CommandAnswers, exited, hostContext } from '../../support/host-context.ts';

const files = {
  '/sys/block/dm-0/dm/name': 'pve-data-tpool\n',
  '/sys/block/dm-0/dm/uuid': `LVM-${'a'.repeat(32)}${'b'.repeat(32)}-tpool\n`,
  '/sys/block/dm-1/dm/name': 'pve-root\n',
  '/sys/block/dm-1/dm/uuid': `LVM-${'a'.repeat(32)}${'c'.repeat(32)}\n`,
};
const report = (entries: readonly unknown[]) => exited(`${JSON.stringify({ report: [{ lv: entries }] })}\n`);
const survey = (answers: CommandAnswers) => collectThinPools(hostContext({ files }, answers));

test.each([
  ['pve-data', { vg: 'pve', lv: 'data' }],
  ['fast--vg-thin--pool', { vg: 'fast-vg', lv: 'thin-pool' }],
  ['plain', null],
])('the mapping %s is %j', (name, names) => {
  expect(splitMappingName(name)).toEqual(names);
});

test('percentages become ratios, and empty metadata is unknown', () => {
  const { stdout } = report([
    { vg_name: 'a', lv_name: 'b', data_percent: '81.72', metadata_percent: '3.91' },
    { vg_name: 'a', lv_name: 'c', data_percent: '100.00', metadata_percent: '' },
    { vg_name: 'a', lv_name: 'd', data_percent: '' },
    'nonsense',
  ]) as { stdout: string };
  expect(Object.fromEntries(parseLvs(stdout) ?? [])).toEqual({
    'a/b': { kind: 'thin_pool', dataUsedRatio: 0.8172, metadataUsedRatio: 0.0391 },
    'a/c': { kind: 'thin_pool', dataUsedRatio: 1, metadataUsedRatio: null },
  });
});

describe('a pool that sysfs shows', () => {
  test('is read', async () => {
    const part = await survey([
      [/^lvs/, report([{ vg_name: 'pve', lv_name: 'data', data_percent: '10', metadata_percent: '1' }])],
    ]);
    expect(part.claims).toMatchObject([
      { name: 'pve/data', expects: ['thin_pool'], keys: [{ strength: 'proof' }, { key: 'pool-name:lvm/pve/data' }] },
    ]);
    expect(part.readings).toMatchObject([{ dataUsedRatio: 0.1, metadataUsedRatio: 0.01 }]);
    expect(part.gaps).toEqual([]);
  });

  test.each([
    ['not_installed', []],
    [
      'not_permitted',
      [
        [
          /^lvs/,
          exited(
            '{"report":[{"lv":[]}]}',
            0,
            'WARNING: Running as a non-root user. Functionality may be unavailable.\n',
          ),
        ],
      ],
    ],
    ['malformed', [[/^lvs/, report([])]]],
    ['malformed', [[/^lvs/, exited('Segmentation fault')]]],
    ['failed', [[/^lvs/, exited('', 5, 'Failed to find sysfs mount point\n')]]],
    ['timed_out', [[/^lvs/, { kind: 'timed_out', timeoutMs: 1_000, stderr: '' }]]],
  ] as const)('is a gap: %s', async (code, answers) => {
    const part = await survey(answers);
    expect(part.claims).toHaveLength(1);
    expect(part.readings).toEqual([]);
    expect(part.gaps).toMatchObject([{ ref: 'pool:lvm/pve/data', reads: ['thin_pool'], code }]);
  });
});

test('without one lvs is not run', async () => {
  const host = hostContext({});
  expect((await collectThinPools(host)).claims).toEqual([]);
  expect(host.asked).toEqual([]);
});
