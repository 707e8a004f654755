import { describe, expect, it } from 'vitest';
import { backupsConfigSchema } from '../../../src/sources/backups/backups-config.ts';

const problemsOf = (...entries: readonly object[]): string => {
  const parsed = backupsConfigSchema.safeParse(entries);
  return parsed.success
    ? ''
    : parsed.error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`).join('\n');
};
const restic = { name: 'laptop', type: 'restic', repository: '/srv/restic' };

describe('the backups section', () => {
  it('takes the backup of the sample config', () => {
    expect(
      backupsConfigSchema.parse([
        { ...restic, passwordFile: 'restic.pw', unit: 'restic-backup.service', every: '24h' },
        { name: 'db', type: 'directory', path: '/srv/dumps', pattern: 'db-%Y-%m-%d.sql.gz', unit: 'dump' },
        { name: 'nas', type: 'borg', repository: 'ssh://borg@nas/./repo', password: 'x' },
      ]),
    ).toMatchObject([
      { type: 'restic', every: 86_400_000, timeout: 60_000, tags: [], paths: [] },
      { type: 'directory', unit: 'dump.service' },
      { type: 'borg' },
    ]);
  });

  it('keeps passwords and environments from being printed', () => {
    const text = JSON.stringify(
      backupsConfigSchema.parse([{ ...restic, password: 's3cret', environment: { AWS_SECRET_ACCESS_KEY: 'hidden' } }]),
    );
    expect(text).not.toMatch(/s3cret|hidden/);
  });

  it.each([
    ['an unknown type', { name: 'a', type: 'tar' }, 'the types are restic, borg and directory'],
    ['a relative repository', { ...restic, repository: 'srv/restic' }, 'must be an absolute path'],
    ['an option as repository', { ...restic, repository: '--help' }, 'must be an absolute path'],
    ['a relative directory', { name: 'a', type: 'directory', path: 'srv' }, 'must be an absolute path'],
    ['two passwords', { ...restic, password: 'a', passwordFile: 'b' }, 'can not stand beside password'],
    ['a variable that changes which program runs', { ...restic, environment: { LD_PRELOAD: 'x' } }, 'can not be set'],
    ['a search path', { ...restic, environment: { PATH: '/x' } }, 'can not be set'],
    ['an odd unit', { ...restic, unit: 'a b' }, 'is no name of a systemd unit'],
    ['an unknown date field', { name: 'a', type: 'directory', path: '/a', pattern: '%F' }, '%F is not known'],
    ['half a date', { name: 'a', type: 'directory', path: '/a', pattern: '%Y-%m' }, 'a date needs %Y, %m and %d'],
    [
      'a pattern over directories',
      { name: 'a', type: 'directory', path: '/a', pattern: '%Y/x' },
      'must not hold a slash',
    ],
    ['no such zone', { name: 'a', type: 'directory', path: '/a', timeZone: 'Mars/Olympus' }, 'is no IANA time zone'],
    ['a password of a directory', { name: 'a', type: 'directory', path: '/a', password: 'x' }, 'nrecognized'],
  ])('refuses %s', (_title, entry, message) => {
    expect(problemsOf(entry)).toContain(message);
  });

  it('refuses two backups of one name', () => {
    expect(problemsOf(restic, restic)).toContain('1.name: there are two backups called laptop');
  });
});
