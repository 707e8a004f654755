/** The configured backups as a source: restic, Borg, directories of archives, and the systemd units that make them. */
import { hostname } from 'node:os';
import { type CommandRunner, createCommandRunner } from '../../runtime/command.ts';
import { PatroldError } from '../../runtime/errors.ts';
import { defineSource, type Source, type SourceDeps } from '../source.ts';
import { type BackupsConfig, backupsConfigSchema } from './backups-config.ts';
import { readArchives } from './look-at-backup.ts';
import { surveyBackups } from './survey-backups.ts';

/** All of them taking their whole default time. */
const DEFAULT_TIMEOUT_MS = 600_000;

export const createBackupsSource = (
  id: string,
  backups: BackupsConfig,
  deps: SourceDeps,
  commands: CommandRunner,
): Source => {
  const { clock, state, localMachineId } = deps;
  const host = { machineId: localMachineId, hostname: hostname() };
  return {
    id,
    type: 'backups',
    survey: (request) => surveyBackups({ backups, host, clock, commands, state }, request),
    probe: async (signal) => {
      let count = 0;
      for (const backup of backups) {
        const archives = await readArchives(backup, { commands, nowMs: clock.nowMs(), signal });
        if (archives.kind === 'unread')
          throw new PatroldError('source_not_answering', `backup ${backup.name}: ${archives.reason}`);
        count += archives.count;
      }
      return `${backups.length} backups can be read, with ${count} archives`;
    },
    close: async () => undefined,
  };
};

export const backupsSource = defineSource<BackupsConfig>({
  type: 'backups',
  configSchema: backupsConfigSchema,
  reads: ['backup'],
  defaultTimeoutMs: DEFAULT_TIMEOUT_MS,
  create: (id, config, deps) => createBackupsSource(id, config, deps, createCommandRunner()),
});
