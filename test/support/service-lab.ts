/** A small machine with patrold installed on it as docs/install.md says: systemd, two file systems of its own, a failed unit. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { type RunReport, runReportSchema } from '../../src/patrol/report.ts';
import { packedPatrold } from './packed-patrold.ts';
import { type RealSystemd, startRealSystemd } from './real-systemd.ts';

/** By its place in the unit's world: a checkout below /tmp is not seen from there. */
const NODE = `/opt/patrold/node_modules/node-${process.platform}-${process.arch}/bin/node`;

const CHECKOUT = join(import.meta.dirname, '..', '..');
const DEPLOY = join(CHECKOUT, 'deploy');
const POLL_MS = 100;

/** The one that the service begins with. Runs are asked for by the tests. */
export const CONFIG = readFileSync(join(DEPLOY, 'patrold.yaml'), 'utf8').replace(
  /^patrol:.*$/m,
  'patrol: { watch: off, timeZone: UTC }',
);

/** What would take minutes, in seconds; and the log where a test can read it. */
const FASTER = `[Service]
WatchdogSec=3s
RestartSec=100ms
StandardError=append:/run/patrold.log
`;

const UNIT = readFileSync(join(DEPLOY, 'patrold.service'), 'utf8');

/** The restrictions of the unit around another command, which comes to an end. */
const PROBE = UNIT.replace(/^Type=.*$/m, 'Type=oneshot').replaceAll(
  /^(?:ExecStart|ExecReload|WatchdogSec|Restart|RestartSec|NotifyAccess)=.*\n/gm,
  '',
);

const PREPARE = `
cp -a "${'$'}package" /opt/patrold
mkdir /opt/patrold/node_modules
mount --bind ${CHECKOUT}/node_modules /opt/patrold/node_modules
systemd-sysusers /opt/patrold/deploy/patrold.sysusers
for group in docker disk systemd-journal; do getent group "$group" >/dev/null || groupadd --system "$group"; done
install -d -m 0750 -g patrold /etc/patrold
install -m 0640 -g patrold /opt/patrold/deploy/patrold.yaml /etc/patrold/patrold.yaml
for name in home srv; do
  truncate -s 16M "$work/$name.img"
  mkfs.ext4 -q "$work/$name.img"
  mount -o loop "$work/$name.img" "/$name"
done
install -d -m 0700 /home/alice
`;

export interface ServiceLab extends RealSystemd {
  /** `patrold …` as the service's user, outside of its sandbox, as an operator would. */
  patrold(...args: readonly string[]): {
    readonly code: number | null;
    readonly stdout: string;
    readonly stderr: string;
  };
  /** A run that the daemon makes, within its restrictions. */
  patrol(): RunReport;
  /** Runs a command within the restrictions of the unit and one drop-in; 0 if it went well. */
  probe(command: string, dropIn: string | null): number;
  writeConfig(text: string): void;
  serviceLog(): string;
  /** Polls until the log says it. */
  logged(text: string, withinMs: number): Promise<void>;
}

export const startServiceLab = async (): Promise<ServiceLab> => {
  const prepare = `package=${packedPatrold()}\n${PREPARE}`;
  const broken = '[Service]\nType=oneshot\nExecStart=/bin/false\n';
  const units = {
    'patrold.service': UNIT,
    'patrold.service.d/test.conf': FASTER,
    'probe.service': PROBE,
    'probe.service.d/command.conf': '',
    'broken.service': broken,
  };
  const systemd = await startRealSystemd({ units, prepare });
  const { run } = systemd;
  // patrold would take what systemd says here for the truth, and look at a container only.
  run('rm', '-f', '/run/systemd/container');
  run('systemctl', 'start', 'dbus.socket');
  run('systemctl', 'start', 'broken.service');
  const patrold: ServiceLab['patrold'] = (...args) =>
    run(
      ...[
        'setpriv',
        '--reuid=patrold',
        '--regid=patrold',
        '--init-groups',
        '--no-new-privs',
        'env',
        '-i',
        '-C',
        '/',
        'HOME=/var/lib/patrold',
      ],
      ...[NODE, '/opt/patrold/dist/src/main.js', ...args],
    );
  const writeConfig = (text: string): void => {
    run('sh', '-c', 'printf %s "$1" > /etc/patrold/patrold.yaml', 'sh', text);
  };
  writeConfig(CONFIG);
  const serviceLog = (): string => run('cat', '/run/patrold.log').stdout;
  return {
    ...systemd,
    patrold,
    serviceLog,
    patrol: () => {
      const { stdout, stderr } = patrold('run', '--json');
      if (stdout === '') throw new Error(`no report: ${stderr}\n${serviceLog()}`);
      return runReportSchema.parse(JSON.parse(stdout));
    },
    probe: (command, dropIn) => {
      const script = `printf '%s' "$1" > /etc/systemd/system/probe.service.d/command.conf
if [ -n "$2" ]; then cp "/opt/patrold/deploy/drop-ins/$2" /etc/systemd/system/probe.service.d/drop-in.conf
else rm -f /etc/systemd/system/probe.service.d/drop-in.conf; fi`;
      const start = `[Service]\nExecStart=${command}\nStandardError=append:/run/probe.log\n`;
      run('sh', '-c', script, 'sh', start, dropIn ?? '');
      run('systemctl', 'daemon-reload');
      return run('systemctl', 'start', 'probe.service').code ?? -1;
    },
    writeConfig,
    logged: async (text, withinMs) => {
      const end = performance.now() + withinMs;
      while (!serviceLog().includes(text)) {
        if (performance.now() >= end) throw new Error(`"${text}" was not logged:\n${serviceLog()}`);
        await wait(POLL_MS);
      }
    },
  };
};
