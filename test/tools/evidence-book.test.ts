import { expect, test } from 'vitest';
import { asResourceId } from '../../signals/resource.ts';
import { createEvidenceBook, type Look, MAX_LOOKS } from '../../src/tools/evidence-book.ts';

const look = (shows: unknown): Look => ({
  kind: 'log',
  resourceId: asResourceId('a'),
  sourceId: 's',
  takenAtMs: 1,
  shows,
});

test('the same look has the same id, another one another, and none is that of a reading', () => {
  const book = createEvidenceBook({ reading: () => null });
  const id = book.note(look('a'));
  expect(id).toMatch(/^x[0-9a-f]{8}$/);
  expect(book.note(look('a'))).toBe(id);
  expect(book.note(look('b'))).not.toBe(id);
  expect(createEvidenceBook({ reading: () => null }).note(look('a'))).toBe(id);
  expect(book.get(id ?? '')).toMatchObject({ id, kind: 'log', shows: 'a' });
});

test('only so many are kept; those that are stay', () => {
  const book = createEvidenceBook({ reading: () => null });
  for (let index = 0; index < MAX_LOOKS; index += 1) expect(book.note(look(index))).not.toBeNull();
  expect(book.note(look('one more'))).toBeNull();
  expect(book.note(look(0))).not.toBeNull();
});
