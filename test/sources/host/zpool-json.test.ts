import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { replayText } from '../../../src/sources/host/recording-text.ts';
import { parseZpoolJson } from '../../../src/sources/host/zpool-json.ts';
import { machineDirectory, RECORDED_AT_MS } from '../../support/recorded-machine.ts';

const document = (pools: unknown, version = 0) =>
  JSON.stringify({ output_version: { command: 'zpool status', vers_major: version, vers_minor: 1 }, pools });
const pool = (more: Readonly<Record<string, unknown>>) => ({
  name: 'p',
  state: 'ONLINE',
  vdevs: { p: { name: 'p', vdev_type: 'root', state: 'ONLINE', vdevs: { sda: { name: 'sda', state: 'ONLINE' } } } },
  ...more,
});

test('a pool that is replacing a disk has its members, the log and the spare', async () => {
  const text = await readFile(join(machineDirectory('pve'), 'commands/zpool-status.json'), 'utf8');
  const parsed = parseZpoolJson(replayText(text, { recordedAtMs: RECORDED_AT_MS, nowMs: RECORDED_AT_MS }));
  const tank = parsed?.pools.find(({ name }) => name === 'tank');
  expect(parsed?.malformed).toEqual([]);
  expect(tank).toMatchObject({
    state: 'DEGRADED',
    dataErrors: 0,
    scan: { kind: 'resilver', state: 'running', startedAtMs: RECORDED_AT_MS - 7_200_000, finishedAtMs: null },
  });
  expect(tank?.dataVdevs[0]?.children[1]?.children[0]).toMatchObject({
    state: 'FAULTED',
    readErrors: 3,
    writeErrors: 120,
  });
  expect(tank?.otherVdevs.map(({ state }) => state)).toEqual(['ONLINE', 'AVAIL']);
});

test('strings instead of numbers, as without --json-int, are read as well', () => {
  const said = pool({
    error_count: '1.5K',
    scan_stats: { function: 'SCRUB', state: 'FINISHED', start_time: 'Sun Nov  9 00:24:01 2025', end_time: '-' },
  });
  expect(parseZpoolJson(document({ p: said }))?.pools).toMatchObject([
    { dataErrors: 1_536, scan: { kind: 'scrub', state: 'finished', startedAtMs: null, finishedAtMs: null } },
  ]);
});

describe('scans', () => {
  test.each([
    ['never', undefined, null],
    ['NONE', { function: 'NONE', state: 'NONE' }, null],
    [
      'canceled',
      { function: 'SCRUB', state: 'CANCELED', start_time: 1, end_time: 2 },
      { state: 'canceled', finishedAtMs: 2_000 },
    ],
    [
      'a rebuild of dRAID',
      { function: 'SCRUB', state: 'FINISHED', rebuild_stats: { x: { state: 'ACTIVE', start_time: 9 } } },
      { kind: 'resilver', state: 'running', startedAtMs: 9_000 },
    ],
  ])('%s', (_, stats, scan) => {
    const [parsed] = parseZpoolJson(document({ p: pool({ scan_stats: stats }) }))?.pools ?? [];
    if (scan === null) expect(parsed?.scan).toBeNull();
    else expect(parsed?.scan).toMatchObject(scan);
  });
});

test('a pool that is not understood is named, and the others are kept', () => {
  const parsed = parseZpoolJson(
    document({ a: pool({ name: 'a' }), b: { state: 7 }, c: pool({ name: 'c', state: 'ODD' }) }),
  );
  expect(parsed?.pools.map(({ name }) => name)).toEqual(['a']);
  expect(parsed?.malformed).toEqual(['b', 'c']);
});

test.each(['', 'invalid option -- j', '{}', '[]', document({}, 1)])('%j is not this command’s JSON', (text) => {
  expect(parseZpoolJson(text)).toBeNull();
});

test('no JSON makes it throw', () => {
  fc.assert(
    fc.property(fc.dictionary(fc.string(), fc.jsonValue()), (pools) => {
      expect(parseZpoolJson(document(pools))).not.toBeNull();
    }),
  );
});
