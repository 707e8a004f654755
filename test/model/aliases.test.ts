import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createAliases, type NamedThing } from '../../src/model/aliases.ts';

const KEY = 'a'.repeat(64);
const THINGS: readonly NamedThing[] = [
  { name: 'bluebird', kind: 'host' },
  { name: 'nas', kind: 'guest' },
  { name: 'nas-backup', kind: 'guest' },
  { name: 'Owl Nest', kind: 'guest' },
  { name: 'backup', kind: 'guest' },
  { name: '104', kind: 'guest' },
  { name: 'db', kind: 'guest' },
];
const aliases = () => createAliases(KEY, () => THINGS);

test('names and addresses go, and come back', () => {
  const { hide, reveal } = aliases();
  const text = 'bluebird (192.0.2.7, fe80::1:2, 02:42:ac:11:00:02, ops@example.org) lost nas-backup and Owl Nest';
  const hidden = hide(text);
  for (const secret of ['bluebird', '192.0.2.7', 'fe80', '02:42', 'example.org', 'nas', 'Owl'])
    expect(hidden).not.toContain(secret);
  expect(hidden).toMatch(
    /^host-[a-z2-7]{6} \(ip-\w{6}, ip-\w{6}, mac-\w{6}, mail-\w{6}\) lost guest-\w{6} and guest-\w{6}$/,
  );
  expect(reveal(hidden)).toBe(text);
});

test('an alias is the same in every run, and another one with another key', () => {
  expect(aliases().hide('bluebird')).toBe(aliases().hide('bluebird'));
  expect(createAliases('b'.repeat(64), () => THINGS).hide('bluebird')).not.toBe(aliases().hide('bluebird'));
});

test('a name counts in any case, and only as a whole', () => {
  const { hide } = aliases();
  expect(hide('BLUEBIRD')).toBe(hide('bluebird'));
  expect(hide('bluebirds of nasa')).toBe('bluebirds of nasa');
  expect(hide('home/bluebird/nas')).toMatch(/^home\/host-\w{6}\/guest-\w{6}$/);
  expect(hide('nas.bluebird.example')).toMatch(/^guest-\w{6}\.host-\w{6}\.example$/);
});

test('everyday words, short names, numbers, times, versions and loopback stay', () => {
  const text = 'backup of 104 on db at 10:20:30, version 1.2.3, 127.0.0.1, ::1, 300.1.1.1, 0.0.0.0';
  expect(aliases().hide(text)).toBe(text);
});

test('names that a run learns later are hidden from then on', () => {
  let things: readonly NamedThing[] = [];
  const { hide } = createAliases(KEY, () => things);
  expect(hide('kestrel')).toBe('kestrel');
  things = [{ name: 'kestrel', kind: 'host' }];
  expect(hide('kestrel')).toMatch(/^host-/);
});

test('an alias that nobody gave stays what it is', () => {
  expect(aliases().reveal('host-aaaaaa says hello')).toBe('host-aaaaaa says hello');
});

test('hiding and revealing gives back any text, and no name is left in between', () => {
  const word = fc.constantFrom(
    'bluebird',
    'nas',
    'nas-backup',
    'Owl Nest',
    '192.0.2.9',
    'load',
    ' ',
    '/',
    ', ',
    '\n',
    '"',
    '2001:db8::5',
  );
  fc.assert(
    fc.property(fc.array(word), (words) => {
      const { hide, reveal } = aliases();
      const text = words.join(' ');
      const hidden = hide(text);
      expect(reveal(hidden)).toBe(text);
      expect(hidden).not.toMatch(/bluebird|\bnas\b|owl nest|192\.0\.2\.9|2001:db8/i);
    }),
  );
});

test('ten thousand names do not make it slow', () => {
  const many = Array.from({ length: 10_000 }, (_, index): NamedThing => ({ name: `node-${index}`, kind: 'host' }));
  const { hide } = createAliases(KEY, () => many);
  const text = 'node-77 and node-9999 and nothing else '.repeat(500);
  const startedMs = performance.now();
  hide(text);
  expect(performance.now() - startedMs).toBeLessThan(2_000);
});
