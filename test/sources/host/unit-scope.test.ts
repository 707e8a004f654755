import { expect, test } from 'vitest';
import type { Unit } from '../../../src/sources/host/unit-properties.ts';
import { isWatched, watchedUnits } from '../../../src/sources/host/unit-scope.ts';

const unit = (name: string, more: Partial<Unit> = {}): Unit => ({
  name,
  isLoaded: true,
  activeState: 'active',
  subState: 'running',
  result: 'success',
  restartCount: 0,
  unitFileState: 'enabled',
  changedAtUs: 1,
  ...more,
});
const failed = { activeState: 'failed', subState: 'failed' } as const;
const dead = { activeState: 'inactive', subState: 'dead' } as const;
const nobody: ReadonlySet<string> = new Set();

test.each<[string, Unit, boolean]>([
  ['a running service', unit('ssh.service'), true],
  ['one that is enabled and ran once', unit('cups.service', dead), true],
  ['one that is neither', unit('apt-daily.service', { ...dead, unitFileState: 'static' }), false],
  ['one that failed, whatever it is', unit('logrotate.service', { ...failed, unitFileState: 'static' }), true],
  [
    'one that restarts',
    unit('x.service', { activeState: 'activating', subState: 'auto-restart', unitFileState: 'disabled' }),
    true,
  ],
  [
    'newer systemd’s word for it',
    unit('x.service', { activeState: 'activating', subState: 'auto-restart-queued', unitFileState: '' }),
    true,
  ],
  ['one that does not exist', unit('auditd.service', { ...dead, isLoaded: false, unitFileState: '' }), false],
  ['a masked one', unit('x.service', { ...dead, isLoaded: false, unitFileState: 'masked' }), false],
  ['a user’s session', unit('user@1000.service', { unitFileState: 'static' }), false],
  ['a user’s session that failed', unit('user@1000.service', failed), true],
  ['a single command', unit('run-u12.service', { unitFileState: 'transient' }), false],
  ['a mounted file system', unit('srv.mount', { unitFileState: 'generated' }), false],
  ['a mount that failed', unit('srv.mount', failed), true],
  ['a timer', unit('logrotate.timer'), false],
  ['a timer that failed', unit('logrotate.timer', failed), true],
])('%s: %3$s', (_, candidate, watched) => {
  expect(isWatched(candidate, nobody)).toBe(watched);
});

test('one that was in trouble stays in view, so that its recovery is seen', () => {
  const recovered = unit('logrotate.service', { ...dead, unitFileState: 'static' });
  expect(isWatched(recovered, new Set(['logrotate.service']))).toBe(true);
});

test('those in trouble come first', () => {
  const units = [unit('b.service'), unit('a.service', dead), unit('z.service', failed), unit('c.service')];
  expect(watchedUnits(units, new Set(['c.service'])).map(({ name }) => name)).toEqual([
    'z.service',
    'c.service',
    'b.service',
    'a.service',
  ]);
});
