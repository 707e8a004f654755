import { expect, test } from 'vitest';
import { replayText } from '../../../src/sources/host/recording-text.ts';

const time = { recordedAtMs: Date.UTC(2025, 10, 9, 2, 37, 46), nowMs: Date.UTC(2025, 10, 9, 2, 42, 46) };
const recordedS = time.recordedAtMs / 1_000;

test.each([
  ['btime {{recorded-60|s}}', `btime ${recordedS - 60}`],
  ['{{now|ms}}', String(time.nowMs)],
  ['{{now-0.5|us}}', String(time.nowMs * 1_000 - 500_000)],
  ['{{recorded|ctime}}', 'Sun Nov  9 02:37:46 2025'],
  ['{{recorded+86400|ctime}}', 'Mon Nov 10 02:37:46 2025'],
  ['{{recorded|iso}}', '2025-11-09T02:37:46.000Z'],
  ['cpu {{count 1000+2.5}} 5', 'cpu 1750 5'],
  ['{{unknown}} stays', '{{unknown}} stays'],
  ['plain', 'plain'],
])('%s is %s', (text, replayed) => {
  expect(replayText(text, time)).toBe(replayed);
});

test('a counter does not run backwards', () => {
  expect(replayText('{{count 7+1}}', { recordedAtMs: 5_000, nowMs: 0 })).toBe('7');
});
