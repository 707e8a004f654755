/** A machine as a source: its survey over an injected reader and runner, so that recordings can be played back. */
import type { SourceId } from '../../../signals/resource.ts';
import type { CommandRunner } from '../../runtime/command.ts';
import { PatroldError } from '../../runtime/errors.ts';
import type { Source, SourceDeps } from '../source.ts';
import { hostCollectors } from './collectors.ts';
import { createCommands } from './commands.ts';
import type { HostConfig } from './config.ts';
import { readHostname, readOsName } from './host-claim.ts';
import { surveyHost } from './host-survey.ts';
import { createSpaceAsker } from './mount-space.ts';
import type { RootReader } from './root-reader.ts';
import { readUnitLog } from './unit-log.ts';

export interface HostSourceDeps extends SourceDeps {
  readonly id: SourceId;
  readonly config: HostConfig;
  readonly reader: RootReader;
  readonly runner: CommandRunner;
}

/** Of one question about a mount's space; local ones answer in microseconds. */
const SPACE_TIMEOUT_MS = 5_000;

export const createHostSource = (deps: HostSourceDeps): Source => {
  const { id, reader, clock, runner, config } = deps;
  const collectors = hostCollectors(createSpaceAsker({ reader, clock, timeoutMs: SPACE_TIMEOUT_MS }));
  return {
    id,
    type: 'host',
    survey: (request) => surveyHost({ ...deps, collectors }, request),
    probe: async (signal) => {
      signal.throwIfAborted();
      const stat = await reader.readText('/proc/stat', 4_096);
      if (stat.kind !== 'read') {
        throw new PatroldError('source_not_answering', `no Linux machine can be seen below ${reader.root}`);
      }
      const [name, os] = await Promise.all([readHostname(reader), readOsName(reader)]);
      return `reads ${name}${os === null ? '' : ` (${os})`}${reader.root === '/' ? '' : ` below ${reader.root}`}`;
    },
    readLog: (request) =>
      readUnitLog(
        { reader, commands: createCommands({ runner, timeoutMs: config.commandTimeout, signal: request.signal }) },
        request,
      ),
    close: () => Promise.resolve(),
  };
};
