/** `patrold init`: a first config for what is found on this machine. */
import { accessSync, constants, existsSync, writeFileSync } from 'node:fs';
import { get } from 'node:http';
import type { Command } from 'commander';
import { starterConfig } from '../../config/starter.ts';
import { PatroldError } from '../../runtime/errors.ts';
import type { App } from '../app.ts';
import type { AddCommand } from '../command.ts';
import { EXIT, type ExitCode } from '../exit-code.ts';

const SOCKETS = ['/var/run/docker.sock', '/run/podman/podman.sock'];
const PROMETHEUS_URL = 'http://127.0.0.1:9090';
const PROBE_TIMEOUT_MS = 1_000;

const isUsable = (path: string): boolean => {
  try {
    accessSync(path, constants.R_OK | constants.W_OK);
    return true;
  } catch {
    // Not for this user: the file that is written says so.
    return false;
  }
};

/** Prometheus' own readiness page; anything else on that port answers differently or not at all. */
const answersAsPrometheus = (url: string): Promise<boolean> =>
  new Promise((resolve) => {
    const request = get(`${url}/-/ready`, { timeout: PROBE_TIMEOUT_MS }, (response) => {
      response.resume();
      resolve(response.statusCode === 200 || response.statusCode === 503);
    });
    request.on('timeout', () => request.destroy());
    request.on('error', () => resolve(false));
  });

const init = async ({ terminal }: App, target: string, force: boolean): Promise<ExitCode> => {
  if (existsSync(target) && !force)
    throw new PatroldError('wrong_usage', `${target} is there already; --force replaces it`);
  const dockerSocket = SOCKETS.find((path) => existsSync(path)) ?? null;
  const text = starterConfig({
    timeZone: terminal.timeZone,
    dockerSocket,
    dockerUsable: dockerSocket !== null && isUsable(dockerSocket),
    prometheusUrl: (await answersAsPrometheus(PROMETHEUS_URL)) ? PROMETHEUS_URL : null,
  });
  writeFileSync(target, text, { mode: 0o600, flag: force ? 'w' : 'wx' });
  terminal.out(`wrote ${target}\n`);
  terminal.err(`next: patrold check-config --connect --config ${target}\n`);
  return EXIT.fine;
};

export const addInit: AddCommand = (program, act) => {
  program
    .command('init [file]')
    .summary('write a commented config for what is found here')
    .description(
      'Looks for a container engine and a Prometheus on this machine and writes a config with them, every other section commented.',
    )
    .option('--force', 'replace a file that is there', false)
    .action((file: string | undefined, { force }: { readonly force: boolean }, command: Command) =>
      act(command, (app) => init(app, file ?? 'patrold.yaml', force)),
    );
};
