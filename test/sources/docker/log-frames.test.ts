import fc from 'fast-check';
import { expect, test } from 'vitest';
import { parseLog } from '../../../src/sources/docker/log-frames.ts';

const frame = (text: string, stream = 1): Buffer => {
  const payload = Buffer.from(text);
  const header = Buffer.alloc(8);
  header[0] = stream;
  header.writeUInt32BE(payload.length, 4);
  return Buffer.concat([header, payload]);
};

const AT_MS = Date.UTC(2026, 2, 2, 12);
const stamped = (text: string): string => `2026-03-02T12:00:00.123456789Z ${text}\n`;

test('lines of both streams are told in their order, with their instants', () => {
  const body = Buffer.concat([frame(stamped('starting')), frame(stamped('no such file'), 2)]);
  expect(parseLog(body)).toEqual([
    { atMs: AT_MS + 123, text: 'starting' },
    { atMs: AT_MS + 123, text: 'no such file' },
  ]);
});

test('a container with a terminal has no frames', () => {
  expect(parseLog(Buffer.from(stamped('hello\r')))).toEqual([{ atMs: AT_MS + 123, text: 'hello' }]);
});

test('a line that goes over several frames, and a frame that was cut, count as far as they go', () => {
  const cut = frame(stamped('the end is missing')).subarray(0, 50);
  const body = Buffer.concat([frame('2026-03-02T12:00:00Z one '), frame('line\n'), cut]);
  expect(parseLog(body).map(({ text }) => text)).toEqual(['one line', 'the end is ']);
});

test('what is no log at all gives lines and no error', () => {
  expect(parseLog(Buffer.alloc(0))).toEqual([]);
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => {
      for (const { text } of parseLog(Buffer.from(bytes))) expect(text).not.toContain('\n');
    }),
  );
});

test('lengths of every size are read, those that look like line ends too', () => {
  fc.assert(
    fc.property(fc.array(fc.stringMatching(/^[a-z ]{0,300}$/), { maxLength: 8 }), (texts) => {
      const body = Buffer.concat(texts.map((text) => frame(stamped(text))));
      expect(parseLog(body).map(({ text }) => text)).toEqual(texts);
    }),
  );
});
