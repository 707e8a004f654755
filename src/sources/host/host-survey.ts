/** One survey of the machine: what holds for all, then every collector beside the others, then one sighting. */
import type { CommandRunner } from '../../runtime/command.ts';
import { PatroldError } from '../../runtime/errors.ts';
import type { Sighting, SourceDeps, SurveyRequest } from '../source.ts';
import { readBlockDisks } from './block-disks.ts';
import { createCommands } from './commands.ts';
import type { HostConfig } from './config.ts';
import { readEnvironment } from './environment.ts';
import { collectGuarded, type NamedCollector } from './guard.ts';
import { hostClaim } from './host-claim.ts';
import type { HostContext } from './host-context.ts';
import { readHwmons } from './hwmon.ts';
import { part, toSighting } from './part.ts';
import { type ProcStat, parseProcStat } from './proc-stat.ts';
import { type RootReader, readLine } from './root-reader.ts';
import { ZFS_LIST, zfsDatasetsFrom } from './zfs-datasets.ts';

export interface HostSurveyDeps extends SourceDeps {
  readonly config: HostConfig;
  readonly reader: RootReader;
  readonly runner: CommandRunner;
  readonly collectors: readonly NamedCollector[];
}

/** Then commands are ended, and what has been read is delivered; the source's own limit is a little longer. */
export const SURVEY_BUDGET_MS = 50_000;

export const surveyHost = async (deps: HostSurveyDeps, request: SurveyRequest): Promise<Sighting> => {
  const done = new AbortController();
  const budget = new AbortController();
  deps.clock.sleep(SURVEY_BUDGET_MS, AbortSignal.any([request.signal, done.signal])).then(
    () => budget.abort(),
    () => undefined,
  );
  try {
    const host = await prepare(deps, { ...request, signal: AbortSignal.any([request.signal, budget.signal]) });
    const [claim, ...parts] = await Promise.all([
      hostClaim(host),
      ...deps.collectors.map((collector) => collectGuarded(host, collector)),
    ]);
    return toSighting([part({ claims: [claim], listed: [{ kind: 'host', parentRef: null }] }), ...parts]);
  } finally {
    done.abort();
  }
};

const prepare = async (deps: HostSurveyDeps, request: SurveyRequest): Promise<HostContext> => {
  const { reader, runner, config, clock } = deps;
  const nowMs = clock.nowMs();
  const commands = createCommands({ runner, timeoutMs: config.commandTimeout, signal: request.signal });
  const procStat = await readProcStat(reader);
  const [environment, uptime, bootId, { disks, trouble }, hwmons] = await Promise.all([
    readEnvironment(reader),
    readLine(reader, '/proc/uptime'),
    readLine(reader, '/proc/sys/kernel/random/boot_id'),
    readBlockDisks(reader),
    readHwmons(reader),
  ]);
  const uptimeSeconds = Number(uptime?.split(' ')[0] ?? Number.NaN);
  let datasets: ReturnType<HostContext['zfsDatasets']> | null = null;
  return {
    ...deps,
    commands,
    request,
    nowMs,
    environment,
    procStat,
    uptimeMs: Number.isFinite(uptimeSeconds) ? uptimeSeconds * 1_000 : nowMs - procStat.bootedAtMs,
    bootId: bootId ?? '',
    disks,
    disksTrouble: trouble,
    hwmons,
    zfsDatasets: () => {
      datasets ??= commands.run('zfs', ZFS_LIST).then(zfsDatasetsFrom);
      return datasets;
    },
  };
};

/** Without it there is no machine to be seen here. */
const readProcStat = async (reader: RootReader): Promise<ProcStat> => {
  const read = await reader.readText('/proc/stat');
  const procStat = read.kind === 'read' ? parseProcStat(read.text) : null;
  if (procStat !== null) return procStat;
  const path = reader.root === '/' ? '/proc/stat' : `${reader.root}/proc/stat`;
  const why =
    read.kind === 'read' ? 'is not what Linux writes there' : read.kind === 'failed' ? read.reason : `is ${read.kind}`;
  throw new PatroldError('source_not_answering', `no Linux machine can be seen below ${reader.root}: ${path} ${why}`);
};
