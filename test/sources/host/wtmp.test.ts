import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parseWtmp, previousEndByWtmp, type WtmpRecord } from '../../../src/sources/host/wtmp.ts';

const layouts = { x86: { size: 384, time: 340 }, arm64: { size: 400, time: 344 } };

const record = (layout: { size: number; time: number }, type: number, user: string, atS: number): Buffer => {
  const bytes = Buffer.alloc(layout.size);
  bytes.writeInt16LE(type, 0);
  bytes.write('~', 8);
  bytes.write(user, 44);
  bytes.write('6.1.0-27-amd64', 76);
  bytes.writeUInt32LE(atS, layout.time);
  return bytes;
};

describe.each(Object.entries(layouts))('records of %s', (_, layout) => {
  const file = Buffer.concat([
    record(layout, 2, 'reboot', 1_000),
    record(layout, 1, 'runlevel', 1_010),
    record(layout, 7, 'somebody', 1_100),
    record(layout, 8, '', 1_200),
    record(layout, 1, 'shutdown', 2_000),
    record(layout, 2, 'reboot', 2_100),
  ]);
  const all: readonly WtmpRecord[] = [
    { kind: 'boot', atMs: 1_000_000 },
    { kind: 'shutdown', atMs: 2_000_000 },
    { kind: 'boot', atMs: 2_100_000 },
  ];

  test('boots and shutdowns are told from logins', () => {
    expect(parseWtmp(file)).toEqual(all);
  });

  test('the end of a long file may begin within a record', () => {
    expect(parseWtmp(file.subarray(100))).toEqual(all.slice(1));
  });
});

test.each([Buffer.alloc(0), Buffer.alloc(10), Buffer.alloc(800, 0xff)])(
  'what is no wtmp is not read as one',
  (bytes) => {
    expect(parseWtmp(bytes)).toBeNull();
  },
);

test('no bytes make it throw', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 2_000 }), (bytes) => {
      const records = parseWtmp(Buffer.from(bytes));
      return records === null || records.length < 10;
    }),
  );
});

describe('the end of the boot before', () => {
  const boot = (atMs: number): WtmpRecord => ({ kind: 'boot', atMs });
  const shutdown = (atMs: number): WtmpRecord => ({ kind: 'shutdown', atMs });
  const BOOTED_AT_MS = 100_000_000;

  test.each<[string, readonly WtmpRecord[], unknown]>([
    ['with a shutdown', [boot(1), shutdown(99_000_000), boot(BOOTED_AT_MS)], { orderly: true, endedAtMs: 99_000_000 }],
    ['without one', [boot(1), boot(BOOTED_AT_MS)], { orderly: false, endedAtMs: null }],
    ['before the file was begun anew', [boot(BOOTED_AT_MS)], null],
    ['while this boot has no record', [boot(1), shutdown(2), boot(3)], null],
    ['in an empty file', [], null],
  ])('%s', (_, records, end) => {
    expect(previousEndByWtmp(records, BOOTED_AT_MS)).toEqual(end);
  });
});
