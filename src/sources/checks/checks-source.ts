/** The configured checks as a source: what answers when it is well. */
import { type CommandRunner, createCommandRunner } from '../../runtime/command.ts';
import { defineSource, type Source, type SourceDeps } from '../source.ts';
import { type Check, toCheck } from './check.ts';
import { type ChecksConfig, checksConfigSchema } from './checks-config.ts';
import { refuseLocalOutage, runChecks, surveyChecks } from './survey-checks.ts';

/** All checks hanging for their whole default time, twice for what shows a certificate. */
const DEFAULT_TIMEOUT_MS = 180_000;
/** Named in the sentence of `probe`. */
const MAX_NAMED = 5;

export const createChecksSource = (
  id: string,
  checks: readonly Check[],
  { clock, state }: SourceDeps,
  commands: CommandRunner,
): Source => ({
  id,
  type: 'checks',
  survey: (request) => surveyChecks({ checks, clock, commands, state }, request),
  probe: async (signal) => {
    const results = await runChecks({ checks, clock, commands }, signal);
    refuseLocalOutage(results);
    const silent = results.filter(({ outcome: { probe } }) => probe.kind !== 'answered').map(({ check }) => check.name);
    if (silent.length === 0) return `all ${checks.length} checks answer`;
    const named = silent.slice(0, MAX_NAMED).join(', ');
    const more = silent.length > MAX_NAMED ? ` and ${silent.length - MAX_NAMED} more` : '';
    return `${checks.length - silent.length} of ${checks.length} checks answer; not: ${named}${more}`;
  },
  close: async () => undefined,
});

export const checksSource = defineSource<ChecksConfig>({
  type: 'checks',
  configSchema: checksConfigSchema,
  reads: ['probe', 'certificate'],
  defaultTimeoutMs: DEFAULT_TIMEOUT_MS,
  create: (id, config, deps) => createChecksSource(id, config.map(toCheck), deps, createCommandRunner()),
});
