/** Runs the host source's commands: the same limits for all, a few at a time. */
import pLimit from 'p-limit';
import type { CommandResult, CommandRunner } from '../../runtime/command.ts';

export interface CommandOptions {
  readonly maxOutputBytes?: number;
  readonly env?: Readonly<Record<string, string>>;
}

export interface Commands {
  run(file: string, args: readonly string[], options?: CommandOptions): Promise<CommandResult>;
}

export interface CommandsDeps {
  readonly runner: CommandRunner;
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
}

/** Children at the same time: they share the machine with what it is there for. */
const COMMANDS_AT_ONCE = 3;
/** `smartctl -x` of an SSD that logs a lot is some 200 KiB, `systemctl show` of 500 units 150 KiB. */
const OUTPUT_BYTES = 4_194_304;

export const createCommands = ({ runner, timeoutMs, signal }: CommandsDeps): Commands => {
  const limit = pLimit(COMMANDS_AT_ONCE);
  return {
    run: (file, args, { maxOutputBytes = OUTPUT_BYTES, env = {} } = {}) =>
      limit(() => runner.run({ file, args, env, timeoutMs, maxOutputBytes, signal })),
  };
};
