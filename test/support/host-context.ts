/** What a collector of the host source is given, for tests of one alone. */
import type { CommandResult, CommandRunner } from '../../src/runtime/command.ts';
import { createCommands } from '../../src/sources/host/commands.ts';
import { hostConfigSchema } from '../../src/sources/host/config.ts';
import type { HostContext } from '../../src/sources/host/host-context.ts';
import { zfsDatasetsFrom } from '../../src/sources/host/zfs-datasets.ts';
import { createFakeClock } from './fake-clock.ts';
import { type MemoryRoot, memoryRoot } from './memory-root.ts';
import { sourceDeps, surveyRequest } from './source-deps.ts';

export const NOW_MS = Date.UTC(2025, 10, 11, 9);
const UPTIME_MS = 864_000_000;

export const exited = (stdout: string, code = 0, stderr = ''): CommandResult => ({
  kind: 'exited',
  code,
  stdout,
  stderr,
});

/** By the command with its arguments, joined by blanks; a pattern that matches none is a program that is missing. */
export type CommandAnswers = readonly (readonly [RegExp, CommandResult])[];

const scriptedRunner = (answers: CommandAnswers): CommandRunner & { readonly asked: string[] } => {
  const asked: string[] = [];
  return {
    asked,
    run: async ({ file, args }) => {
      const line = [file, ...args].join(' ');
      asked.push(line);
      return answers.find(([pattern]) => pattern.test(line))?.[1] ?? { kind: 'not_found' };
    },
  };
};

export const hostContext = (
  machine: MemoryRoot,
  answers: CommandAnswers = [],
  more: Partial<HostContext> = {},
): HostContext & { readonly asked: readonly string[] } => {
  const clock = createFakeClock(NOW_MS);
  const runner = scriptedRunner(answers);
  const request = surveyRequest({ lastSurveyAtMs: NOW_MS - 300_000 });
  const commands = createCommands({ runner, timeoutMs: 1_000, signal: request.signal });
  return {
    ...sourceDeps({ clock }),
    config: hostConfigSchema.parse({}),
    reader: memoryRoot(machine),
    commands,
    request,
    nowMs: NOW_MS,
    environment: { container: null },
    procStat: { ticks: { busy: 0, idle: 0, iowait: 0, steal: 0 }, cpuCount: 4, bootedAtMs: NOW_MS - UPTIME_MS },
    uptimeMs: UPTIME_MS,
    bootId: 'boot-1',
    disks: [],
    disksTrouble: null,
    hwmons: [],
    zfsDatasets: async () => zfsDatasetsFrom(await commands.run('zfs', ['list'])),
    asked: runner.asked,
    ...more,
  };
};
