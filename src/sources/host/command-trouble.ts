/** Why a command gave no answer, in the words of a gap. */
import type { GapCode } from '../../../signals/survey.ts';
import type { CommandResult } from '../../runtime/command.ts';
import { cleanText } from '../../runtime/text.ts';

export interface Trouble {
  readonly code: GapCode;
  readonly reason: string;
}

/** Of what a foreign program said, in a reason. */
const QUOTED_CHARACTERS = 200;

/** The first line that a program wrote, as people may see it. */
export const quoteOutput = (text: string): string => {
  const line = text.split('\n').find((candidate) => candidate.trim() !== '') ?? '';
  return cleanText(line, QUOTED_CHARACTERS);
};

/** Null: it ran to its end, whatever its status. `remedy` says what to install where it is missing. */
export const troubleOf = (result: CommandResult, program: string, remedy: string): Trouble | null => {
  switch (result.kind) {
    case 'exited':
      return null;
    case 'not_found':
      return { code: 'not_installed', reason: `\`${program}\` is not installed: ${remedy}` };
    case 'not_permitted':
      return { code: 'not_permitted', reason: `\`${program}\` may not be run by the user that patrold runs as` };
    case 'timed_out':
      return { code: 'timed_out', reason: `\`${program}\` gave no answer within ${result.timeoutMs / 1_000} s` };
    case 'stuck':
      return {
        code: 'timed_out',
        reason: `\`${program}\` is not started: ${result.count} earlier ones hang in the kernel and can't be ended`,
      };
    case 'too_large':
      return { code: 'cut_short', reason: `\`${program}\` printed more than ${result.maxOutputBytes} bytes` };
    case 'aborted':
      return { code: 'timed_out', reason: `the survey ended before \`${program}\` had answered` };
    case 'signalled':
      return { code: 'failed', reason: `\`${program}\` was ended by ${result.signal}` };
    case 'failed':
      return { code: 'failed', reason: `\`${program}\`: ${result.reason}` };
  }
};

const DENIED = /permission denied|not permitted|access denied|must be root|non-root user|superuser|privileges/i;

/** For one that ran and answered with a failure. */
export const failureOf = (result: { code: number; stdout: string; stderr: string }, program: string): Trouble => {
  const said = quoteOutput(result.stderr) || quoteOutput(result.stdout);
  const code = DENIED.test(`${result.stderr}\n${result.stdout.slice(0, 4_096)}`) ? 'not_permitted' : 'failed';
  return { code, reason: `\`${program}\` ended with ${result.code}${said === '' ? '' : `: ${said}`}` };
};
