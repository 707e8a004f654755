import { describe, expect, it } from 'vitest';
import { parseTimeSpan } from '../../../src/sources/backups/time-span.ts';

describe('parseTimeSpan', () => {
  it.each([
    ['0', 0],
    ['1d', 86_400_000],
    ['1h 30min', 5_400_000],
    ['1month 2d', 2_802_600_000],
    ['5.5s', 5_500],
    ['500us', 1],
  ])('reads %s', (text, ms) => {
    expect(parseTimeSpan(text)).toBe(ms);
  });

  it.each(['', 'infinity', 'soon', '1x', '5'])('does not make up what %j is', (text) => {
    expect(parseTimeSpan(text)).toBeNull();
  });
});
