import { expect, test } from 'vitest';
import { bitOf, maskOf, READING_KINDS } from '../../signals/reading-mask.ts';

test('every kind has a bit of its own', () => {
  const bits = READING_KINDS.map(bitOf);
  expect(new Set(bits).size).toBe(READING_KINDS.length);
  expect(bits.every((bit) => bit !== 0 && (bit & (bit - 1)) === 0)).toBe(true);
});

test('a mask holds what it was made of and nothing else', () => {
  const mask = maskOf(['cpu', 'backup']);
  expect(READING_KINDS.filter((kind) => (mask & bitOf(kind)) !== 0)).toEqual(['cpu', 'backup']);
});

test('names that are no kind count for nothing, whatever they are', () => {
  expect(maskOf(['quantum_state', 'toString', '__proto__', 'constructor'])).toBe(0);
});
