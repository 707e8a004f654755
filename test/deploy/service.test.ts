/** The unit under a real systemd, with every restriction in force: what works, and what is seen. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { inPath } from '../support/docker-daemon.ts';
import { whyNoRealSystemd } from '../support/real-systemd.ts';
import { CONFIG, type ServiceLab, startServiceLab } from '../support/service-lab.ts';

const skip =
  whyNoRealSystemd() ??
  ['restic', 'borg', 'ping'].map((name) => (inPath(name) === null ? `${name} is not installed` : null)).find(Boolean) ??
  null;
const UNIT = 'patrold.service';

const MAKE_BACKUPS = `set -e
export HOME=/run BORG_PASSPHRASE=x RESTIC_PASSWORD=x
mkdir -p /srv/data /srv/dumps && echo 1 > /srv/data/a && echo 1 > "/srv/dumps/db-$(date -u +%F).sql"
restic -q --no-cache -r /srv/restic init && restic -q --no-cache -r /srv/restic backup /srv/data
borg init -e repokey /srv/borg && borg create /srv/borg::data-1 /srv/data
chown -R patrold /srv/restic /srv/borg
printf x > /etc/patrold/password && chgrp patrold /etc/patrold/password && chmod 640 /etc/patrold/password`;

const CHECKS_AND_BACKUPS = `
checks:
  - { name: loopback, icmp: 127.0.0.1 }
  - { name: itself, http: "http://127.0.0.1:7790/healthz" }
backups:
  - { name: r, type: restic, repository: /srv/restic, passwordFile: password, unit: dbus.service }
  - { name: b, type: borg, repository: /srv/borg, passwordFile: password }
  - { name: d, type: directory, path: /srv/dumps, pattern: "db-%Y-%m-%d.sql", timeZone: UTC }
`;

/** A run measures the CPU for a second, and each is asked for by a process of its own. */
const PATIENT = { timeout: 60_000 };

describe.skipIf(skip !== null)(
  `patrold.service under systemd${skip === null ? '' : ` (skipped: ${skip})`}`,
  PATIENT,
  () => {
    let lab: ServiceLab;
    beforeAll(async () => {
      lab = await startServiceLab();
    }, 300_000);
    afterAll(() => lab?.close());

    const property = (name: string): string => lab.run('systemctl', 'show', '--value', '-p', name, UNIT).stdout.trim();
    const status = (): string => lab.run('cat', `/proc/${property('MainPID')}/status`).stdout;

    test('it is active once patrold has said that it is ready, as its own user and without any privilege', () => {
      expect(lab.run('systemctl', 'start', UNIT)).toMatchObject({ code: 0, stderr: '' });
      expect(property('ActiveState')).toBe('active');
      expect(property('StatusText')).toBe('patrolling, HTTP on http://127.0.0.1:7790');
      expect(status()).toMatch(/^Cap(?:Eff|Prm|Bnd|Amb):\t0+$/m);
      expect(status()).toMatch(/^NoNewPrivs:\t1$/m);
      expect(status()).toMatch(/^Seccomp:\t2$/m);
      const uid = lab.run('id', '-u', 'patrold').stdout.trim();
      expect(status()).toContain(`Uid:\t${uid}\t${uid}\t${uid}\t${uid}`);
      expect(lab.run('stat', '-c', '%a %U', '/var/lib/patrold', '/var/lib/patrold/patrold.db').stdout).toBe(
        '700 patrold\n600 patrold\n',
      );
    });

    test('it runs on the Node that patrold brings', () => {
      expect(lab.run('readlink', `/proc/${property('MainPID')}/exe`).stdout).toMatch(
        /^\/opt\/patrold\/node_modules\/node-linux-\w+\/bin\/node\n$/,
      );
    });

    test('it sees file systems, also /home, units and what the kernel tells; what it does not see has a reason', () => {
      const { run, verdicts } = lab.patrol();
      expect(run.coverage?.sources).toMatchObject([{ sourceId: 'this-host' }]);
      const seen = JSON.parse(lab.patrold('resources', '--json').stdout) as {
        readonly resources: readonly { readonly kind: string; readonly name: string; readonly status: string }[];
      };
      const named = (kind: string) => seen.resources.filter((each) => each.kind === kind).map(({ name }) => name);
      expect(named('filesystem')).toEqual(expect.arrayContaining(['/', '/home', '/srv']));
      expect(seen.resources).toContainEqual(expect.objectContaining({ name: 'broken.service', status: 'failed' }));
      expect(seen.resources).toContainEqual(expect.objectContaining({ name: UNIT, status: 'running' }));
      const unseen = verdicts.unobserved.filter(({ code }) => code !== 'confirming' && code !== 'warming_up');
      // This small machine keeps neither a clock nor a log of its boots.
      expect(unseen.map(({ detector }) => detector).sort()).toEqual(['clock_skew', 'unexpected_reboot']);
      for (const { reason } of verdicts.unobserved) expect(reason).not.toBe('');
    });

    test('read-only mounts of the sandbox are no fault, a file system that turned read-only is one until it is repaired', () => {
      const readOnly = (): readonly string[] =>
        lab
          .patrol()
          .findings.filter(({ key, state }) => key.startsWith('filesystem_read_only') && state === 'active')
          .map(({ resourceName }) => resourceName);
      expect(lab.run('grep', ' /srv ', `/proc/${property('MainPID')}/mountinfo`).stdout).toContain(' ro,');
      expect(readOnly()).toEqual([]);
      expect(lab.run('mount', '-o', 'remount,ro', '/srv').code).toBe(0);
      expect(readOnly()).toEqual(['/srv']);
      expect(lab.run('mount', '-o', 'remount,rw', '/srv').code).toBe(0);
      expect(readOnly()).toEqual([]);
    });

    test('what it must not reach it does not reach', () => {
      const may = (command: string): boolean => lab.probe(`/bin/sh -c '${command}'`, null) === 0;
      expect(may('true')).toBe(true);
      expect(may('touch /var/lib/patrold/probe')).toBe(true);
      expect(may('touch /var/tmp/probe')).toBe(true);
      for (const command of [
        ...['touch /srv/probe', 'touch /opt/patrold/probe', 'touch /etc/patrold/probe', 'ls /home/alice'],
        ...[
          'head -c 1 /dev/loop0',
          'head -c 1 /dev/kmsg',
          'unshare --user true',
          'mount -t tmpfs tmpfs /var/lib/patrold',
        ],
        ...['ls /proc/1/root', 'chmod u+s /var/lib/patrold/probe', 'kill -0 1', 'echo 1 > /proc/sys/vm/drop_caches'],
      ]) {
        expect([command, may(command)]).toEqual([command, false]);
      }
    });

    test('a reload takes a good config, and keeps the one in force when the file is bad', async () => {
      lab.writeConfig('sources: [{ id: this-host, type: hosst }]\n');
      expect(lab.run('systemctl', 'reload', UNIT).code).toBe(0);
      await lab.logged('config not reloaded', 10_000);
      lab.writeConfig(CONFIG.replace('this-host', 'renamed'));
      expect(lab.run('systemctl', 'reload', UNIT).code).toBe(0);
      await lab.logged('config reloaded', 10_000);
      expect(property('ActiveState')).toBe('active');
      expect(property('NRestarts')).toBe('0');
      lab.writeConfig(CONFIG);
      lab.run('systemctl', 'reload', UNIT);
    });

    test('checks and backups work within the restrictions, with the programs that they need', () => {
      expect(lab.run('sh', '-c', MAKE_BACKUPS).code).toBe(0);
      lab.run('sh', '-c', 'echo "0 2147483647" > /proc/sys/net/ipv4/ping_group_range');
      lab.writeConfig(CONFIG + CHECKS_AND_BACKUPS);
      lab.run('systemctl', 'restart', UNIT);
      const { run, verdicts } = lab.patrol();
      const outcomes = run.coverage?.sources.map(({ sourceId, outcome }) => [sourceId, outcome]);
      expect(outcomes).toEqual(
        expect.arrayContaining([
          ['checks', 'ok'],
          ['backups', 'ok'],
        ]),
      );
      expect(verdicts.unobserved.filter(({ detector }) => /backup|reachable/.test(detector))).toEqual([]);
      lab.writeConfig(CONFIG);
      lab.run('systemctl', 'reload', UNIT);
    });

    test('it keeps the watchdog content, and is replaced when it hangs or is killed', async () => {
      const first = property('MainPID');
      await new Promise((resolve) => setTimeout(resolve, 4_000));
      expect(property('MainPID')).toBe(first);
      lab.run('kill', '-STOP', first);
      await lab.waitFor(UNIT, 'NRestarts', '1', 20_000);
      await lab.waitFor(UNIT, 'ActiveState', 'active', 20_000);
      lab.run('kill', '-KILL', property('MainPID'));
      await lab.waitFor(UNIT, 'NRestarts', '2', 20_000);
      await lab.waitFor(UNIT, 'ActiveState', 'active', 20_000);
    });

    test('it stops when it is told to, and that is a success', () => {
      expect(lab.run('systemctl', 'stop', UNIT).code).toBe(0);
      expect(property('ActiveState')).toBe('inactive');
      expect(property('Result')).toBe('success');
      expect(lab.serviceLog()).toContain('patrold has stopped');
    });

    test('with a bad config it fails once, says why, and is not started over and over', async () => {
      lab.writeConfig('sources: [{ id: this-host, type: hosst }]\n');
      expect(lab.run('systemctl', 'start', UNIT).code).not.toBe(0);
      expect(property('ActiveState')).toBe('failed');
      expect(property('ExecMainStatus')).toBe('2');
      await lab.logged('error: the config has a problem', 1_000);
      lab.writeConfig(CONFIG);
      expect(lab.run('systemctl', 'start', UNIT).code).toBe(0);
    });

    test('ping works where the kernel lets users ping, elsewhere with ping.conf', () => {
      const ping = '/usr/bin/env ping -c 1 -w 2 127.0.0.1';
      const range = (groups: string) => lab.run('sh', '-c', `echo "${groups}" > /proc/sys/net/ipv4/ping_group_range`);
      range('1 0');
      expect([lab.probe(ping, null), lab.probe(ping, 'ping.conf')]).toEqual([1, 0]);
      range('0 2147483647');
      expect(lab.probe(ping, null)).toBe(0);
    });

    test('a disk that the device policy lets it read can not be written, whatever its group may', () => {
      // No disk of SATA or SAS is here: a loop device stands for one, with the owner and mode that udev gives to disks.
      const node = 'mknod /opt/disk b 7 0 && chgrp disk /opt/disk && chmod 660 /opt/disk';
      expect(lab.run('sh', '-c', node).code).toBe(0);
      const allow = 'PrivateDevices=no\nDeviceAllow=block-loop r\nSupplementaryGroups=disk';
      const may = (command: string): boolean => lab.probe(`/bin/sh -c '${command}'\n${allow}`, null) === 0;
      expect(may('head -c 1 /opt/disk > /dev/null')).toBe(true);
      expect(may('true > /opt/disk')).toBe(false);
      expect(may('head -c 1 /dev/mem > /dev/null')).toBe(false);
    });

    test.each([
      ['docker.conf', 'docker', ''],
      ['journal.conf', 'systemd-journal', ''],
      ['smart.conf', 'disk', 'cap_sys_rawio'],
      ['smart-nvme.conf', 'disk', 'cap_sys_admin'],
    ])('%s gives the group %s and no capability but those it names (%s)', (dropIn, group, capability) => {
      const ambient =
        capability === ''
          ? 'grep -q "^CapAmb:.0*$" /proc/self/status'
          : `setpriv -d | grep -q "Ambient.*${capability.slice(4)}$"`;
      expect(lab.probe(`/bin/sh -c 'id -Gn | grep -qw ${group} && ${ambient}'`, dropIn)).toBe(0);
      expect(lab.probe(`/bin/sh -c 'id -Gn | grep -qw ${group}'`, null)).not.toBe(0);
    });
  },
);
