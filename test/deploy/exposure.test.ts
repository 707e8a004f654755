/** What systemd says of the unit, alone and with each drop-in: the figures that docs/install.md names. */
import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { works } from '../support/real-program.ts';
import { temporaryDirectory } from '../support/temporary-directory.ts';

const DEPLOY = join(import.meta.dirname, '..', '..', 'deploy');
const DROP_INS = join(DEPLOY, 'drop-ins');

const skip = works('systemd-analyze', '--version') ? null : 'systemd-analyze is not installed';
const title = (text: string): string => (skip === null ? text : `${text} (skipped: ${skip})`);

/** A root directory in which the unit is installed with these drop-ins. */
const installed = (dropIns: readonly string[]): string => {
  const root = temporaryDirectory();
  const units = join(root, 'etc/systemd/system');
  mkdirSync(join(units, 'patrold.service.d'), { recursive: true });
  cpSync(join(DEPLOY, 'patrold.service'), join(units, 'patrold.service'));
  for (const name of dropIns) cpSync(join(DROP_INS, name), join(units, 'patrold.service.d', name));
  return root;
};

/** From 0 to 10. */
const exposureWith = (dropIns: readonly string[]): number => {
  const args = ['security', '--offline=true', '--no-pager', `--root=${installed(dropIns)}`, 'patrold.service'];
  const output = execFileSync('systemd-analyze', args, { encoding: 'utf8' });
  return Number(/exposure level for patrold\.service: ([\d.]+)/.exec(output)?.[1]);
};

const documented = (): ReadonlyMap<string, number> =>
  new Map(
    [
      ...readFileSync(join(DEPLOY, '..', 'docs', 'install.md'), 'utf8').matchAll(
        /^\| `([\w-]+\.(?:service|conf))` \|.*\| ([\d.]+) \|$/gm,
      ),
    ].map(([, name, exposure]) => [name ?? '', Number(exposure)]),
  );

test.skipIf(skip !== null)(title('the unit by itself has an exposure below 2.0'), () => {
  expect(exposureWith([])).toBeLessThan(2);
});

test.skipIf(skip !== null)(
  title('docs/install.md names the exposure of the unit and of each drop-in, as it is'),
  () => {
    const names = readdirSync(DROP_INS);
    const measured = [
      ['patrold.service', exposureWith([])] as const,
      ...names.map((name) => [name, exposureWith([name])] as const),
    ];
    expect(Object.fromEntries(documented())).toEqual(Object.fromEntries(measured));
  },
);

test.skipIf(skip !== null)(title('systemd understands every line of the unit and of all drop-ins'), () => {
  const unit = join(installed(readdirSync(DROP_INS)), 'etc/systemd/system/patrold.service');
  const { status, stderr } = spawnSync('systemd-analyze', ['verify', '--man=no', unit], { encoding: 'utf8' });
  expect(stderr).toBe('');
  expect(status).toBe(0);
});
