import { describe, expect, test } from 'vitest';
import { readBlockDisks } from '../../../src/sources/host/block-disks.ts';
import { collectDisks } from '../../../src/sources/host/disks.ts';
import type { Pace } from '../../../src/sources/source.ts';
import { type CommandAnswers, exited, hostContext } from '../../support/host-context.ts';
import { memoryRoot } from '../../support/memory-root.ts';
import { createMemoryState, type MemoryState } from '../../support/memory-state.ts';
import { surveyRequest } from '../../support/source-deps.ts';

const files = {
  '/sys/block/sda/size': '7814037168\n',
  '/sys/block/sda/queue/rotational': '1\n',
  '/sys/block/sda/device/vendor': 'ATA     \n',
  '/sys/block/sda/device/model': 'WDC WD40EFRX-68N\n',
  '/sys/block/sda/device/wwid': 'naa.50014ee2b1c2d3e4\n',
};
const REPORT = exited(
  JSON.stringify({
    json_format_version: [1, 0],
    smartctl: { exit_status: 0 },
    device: { name: '/dev/sda', type: 'sat', protocol: 'ATA' },
    model_name: 'WDC WD40EFRX-68N32N0',
    serial_number: 'WD-1',
    smart_status: { passed: true },
  }),
);
const SCAN = (devices: readonly unknown[]) =>
  exited(JSON.stringify({ json_format_version: [1, 0], smartctl: {}, devices }));

const survey = async (
  answers: CommandAnswers,
  more: {
    paces?: readonly Pace[];
    state?: MemoryState;
    config?: Readonly<Record<string, unknown>>;
    container?: string;
  } = {},
) => {
  const base = hostContext({ files }, answers);
  const host = {
    ...base,
    disks: (await readBlockDisks(memoryRoot({ files }))).disks,
    state: more.state ?? createMemoryState(),
    environment: { container: more.container ?? null },
    request: surveyRequest({ paces: more.paces ?? ['fast', 'hourly'] }),
    config: { ...base.config, ...more.config },
  };
  return { part: await collectDisks(host), asked: base.asked };
};

test('between hours a disk is not asked, and is known by what it said before', async () => {
  const state = createMemoryState();
  await survey([[/-d sat \/dev\/sda/, REPORT]], { state });
  const { part, asked } = await survey([], { state, paces: ['fast'] });
  expect(asked).toEqual([]);
  expect(part.gaps).toMatchObject([{ ref: 'disk:sda', reads: ['smart'], code: 'not_due' }]);
  expect(part.claims).toMatchObject([{ name: 'sda (WDC WD40EFRX-68N32N0)', slug: 'wdc_wd40efrx-68n32n0-wd-1' }]);
});

test('another disk in the same place is not taken for it', async () => {
  const state = createMemoryState();
  await survey([[/-d sat \/dev\/sda/, REPORT]], { state });
  const known = state.get('disks') as { identities: Record<string, unknown> };
  expect(Object.keys(known.identities)).toEqual(['sda|4000787030016|WDC WD40EFRX-68N|naa.50014ee2b1c2d3e4']);
});

test('SATA disks are named as such, so that smartctl need not wake them to find out', async () => {
  const { asked } = await survey([[/smartctl/, REPORT]]);
  expect(asked).toContain('smartctl --json=c -n standby,3 -x -d sat /dev/sda');
});

test('without smartctl each disk has its gap with the remedy', async () => {
  const { part } = await survey([]);
  expect(part.claims).toMatchObject([{ expects: ['smart'] }]);
  expect(part.gaps).toMatchObject([
    { ref: 'disk:sda', code: 'not_installed', reason: expect.stringContaining('smartmontools') },
  ]);
});

describe('disks behind a RAID controller', () => {
  const scanned = SCAN([
    { name: '/dev/sda', type: 'scsi' },
    { name: '/dev/bus/0', type: 'megaraid,4' },
    { name: '/dev/bus/0', type: 'megaraid,5; rm' },
    { name: 'evil', type: 'megaraid,6' },
    7,
  ]);
  const raid = exited((REPORT as { stdout: string }).stdout.replace('WD-1', 'WD-2'));
  const answers: CommandAnswers = [
    [/--scan/, scanned],
    [/megaraid,4/, raid],
    [/-d sat/, REPORT],
  ];

  test('are found by the scan, and only those of known types are asked', async () => {
    const { part, asked } = await survey(answers);
    expect(part.claims.map(({ ref }) => ref)).toEqual(['disk:sda', 'disk:bus/0:megaraid,4']);
    expect(asked.filter((line) => line.includes('megaraid'))).toEqual([
      'smartctl --json=c -n standby,3 -x -d megaraid,4 /dev/bus/0',
    ]);
  });

  test('stay known while the scan gives no answer', async () => {
    const state = createMemoryState();
    await survey(answers, { state });
    const { part } = await survey([[/-d/, { kind: 'timed_out', timeoutMs: 1, stderr: '' }]], { state });
    expect(part.claims.map(({ ref }) => ref)).toContain('disk:bus/0:megaraid,4');
    expect((await survey([], { state, paces: ['fast'] })).part.claims).toHaveLength(2);
  });

  test('that the kernel shows as well are one disk', async () => {
    const { part } = await survey([
      [/--scan/, scanned],
      [/smartctl/, REPORT],
    ]);
    expect(part.claims.map(({ ref }) => ref)).toEqual(['disk:sda']);
  });

  test('can be named in the config', async () => {
    const { asked } = await survey([], { config: { raidDisks: [{ device: '/dev/twa0', type: '3ware,1' }] } });
    expect(asked).toContain('smartctl --json=c -n standby,3 -x -d 3ware,1 /dev/twa0');
  });
});

test.each(['sda', 'sd*', '*EFRX*'])('the operator’s glob %s takes a disk out', async (glob) => {
  expect((await survey([], { config: { ignoreDisks: [glob] } })).part.claims).toEqual([]);
});

test('a container has no disks of its own', async () => {
  const { part, asked } = await survey([], { container: 'lxc' });
  expect(part.claims).toEqual([]);
  expect(asked).toEqual([]);
});
