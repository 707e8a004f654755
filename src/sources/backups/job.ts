/** What systemd knows of a backup: its unit's runs and its timer. */
import type { GapCode } from '../../../signals/survey.ts';
import type { CommandRunner } from '../../runtime/command.ts';
import { quoteOutput, troubleOf } from '../host/command-trouble.ts';
import { parseShow, type UnitProperties } from './show-output.ts';
import { readTimer, TIMER_PROPERTIES, type Timer, timerNameOf } from './timer.ts';
import { readUnitRuns, SERVICE_PROPERTIES, type UnitRuns } from './unit-run.ts';

export interface Job {
  readonly kind: 'read';
  readonly unit: string;
  readonly runs: UnitRuns;
  readonly timer: Timer | null;
}

export interface JobUnread {
  readonly kind: 'unread';
  readonly code: GapCode;
  readonly reason: string;
}

const TIMEOUT_MS = 15_000;
const MAX_OUTPUT_BYTES = 262_144;

export const readJob = async (unit: string, commands: CommandRunner, signal: AbortSignal): Promise<Job | JobUnread> => {
  const service = await show(unit, SERVICE_PROPERTIES, commands, signal);
  if ('kind' in service) return service;
  const loaded = service.get('LoadState');
  if (loaded !== 'loaded' && loaded !== 'masked') {
    return {
      kind: 'unread',
      code: 'failed',
      reason: `systemd has no unit ${unit} (${loaded || 'no answer'}): check its name`,
    };
  }
  const timerName = timerNameOf(unit, service);
  const timer = await show(timerName, TIMER_PROPERTIES, commands, signal);
  if ('kind' in timer) return timer;
  return { kind: 'read', unit, runs: readUnitRuns(service), timer: readTimer(timerName, timer) };
};

/** In the runner's environment times are printed in UTC, and in English. */
const show = async (
  unit: string,
  properties: readonly string[],
  commands: CommandRunner,
  signal: AbortSignal,
): Promise<UnitProperties | JobUnread> => {
  const result = await commands.run({
    file: 'systemctl',
    args: ['show', '--no-pager', `--property=${properties.join(',')}`, '--', unit],
    timeoutMs: TIMEOUT_MS,
    maxOutputBytes: MAX_OUTPUT_BYTES,
    signal,
  });
  const trouble = troubleOf(result, 'systemctl', 'leave out `unit`, or run patrold where systemd is');
  if (trouble !== null || result.kind !== 'exited')
    return { kind: 'unread', ...(trouble ?? { code: 'failed', reason: '' }) };
  if (result.code === 0) return parseShow(result.stdout);
  const said = quoteOutput(result.stderr);
  const hasNone = /not been booted with systemd|failed to connect to (?:the )?(?:system )?(?:scope )?bus/i.test(
    result.stderr,
  );
  const remedy = 'systemd is not reachable from here: leave out `unit`, or run patrold where systemd is';
  return {
    kind: 'unread',
    code: hasNone ? 'not_supported' : 'failed',
    reason: hasNone ? `${remedy} (${said})` : `\`systemctl show\` of ${unit} failed: ${said}`,
  };
};
