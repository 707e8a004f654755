import { describe, expect, test } from 'vitest';
import { asResourceId } from '../../signals/resource.ts';
import { inScope, parseScope, scopeKey } from '../../src/patrol/scope.ts';

const parents: Readonly<Record<string, string>> = { 'nas/disk/sda': 'nas', nas: 'site' };
const parentOf = (id: string): string | null => parents[id] ?? null;
const disk = {
  id: asResourceId('nas/disk/sda'),
  kind: 'disk',
  sourceIds: ['this-host'],
  tags: ['old'],
  parentId: asResourceId('nas'),
} as const;

describe('a scope', () => {
  test.each([
    ['nas', true],
    ['site', true],
    ['nas/disk/sda', true],
    ['id:nas', true],
    ['na', false],
    ['kind:disk', true],
    ['kind:host', false],
    ['source:this-host', true],
    ['tag:old', true],
    ['tag:new', false],
  ])('%s holds the disk of nas: %s', (text, expected) => {
    expect(inScope(parseScope([text]), disk, parentOf)).toBe(expected);
  });

  test('several are alternatives, and none is everything', () => {
    expect(inScope(parseScope(['tag:new', 'kind:disk']), disk, parentOf)).toBe(true);
    expect(inScope(parseScope([]), disk, parentOf)).toBe(true);
  });

  test('a circle of parents ends', () => {
    expect(inScope(parseScope(['x']), disk, (id) => (id === 'a' ? 'b' : 'a'))).toBe(false);
  });

  test.each(['kind:disc', 'kind:', '', 'tag:'])('"%s" is refused with a code', (text) => {
    expect(() => parseScope([text])).toThrow(expect.objectContaining({ code: 'scope_invalid' }));
  });

  test('two scopes that name the same in another order are one', () => {
    expect(scopeKey(parseScope(['a', 'kind:disk', 'b']))).toBe(scopeKey(parseScope(['b', 'a', 'kind:disk'])));
  });
});
