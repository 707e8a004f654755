/** Answers commands with what a recorded machine's printed. */
import type { CommandRequest, CommandResult, CommandRunner } from '../../runtime/command.ts';
import type { RecordedCommand, Recording } from './recording.ts';

export const createRecordedCommandRunner = (recording: Recording): CommandRunner => ({
  run: async (request) => {
    const argv = [request.file, ...request.args];
    const command = (await recording.commands()).find((recorded) => matches(recorded.argv, argv));
    return command === undefined ? { kind: 'not_found' } : replay(command, request);
  },
});

const matches = (recorded: readonly string[], argv: readonly string[]): boolean =>
  recorded.length === argv.length && recorded.every((pattern, index) => matchesElement(pattern, argv[index] ?? ''));

const matchesElement = (pattern: string, value: string): boolean => {
  const [first = '', ...others] = pattern.split('*');
  const last = others.pop();
  if (last === undefined) return pattern === value;
  if (value.length < first.length + last.length || !value.startsWith(first) || !value.endsWith(last)) return false;
  let at = first.length;
  for (const part of others) {
    const found = value.indexOf(part, at);
    if (found === -1 || found + part.length > value.length - last.length) return false;
    at = found + part.length;
  }
  return true;
};

const replay = (command: RecordedCommand, request: CommandRequest): CommandResult | Promise<CommandResult> => {
  const { stdout, stderr, exitCode } = command;
  switch (command.ends) {
    case 'not_permitted':
      return { kind: 'not_permitted' };
    case 'timed_out':
      return { kind: 'timed_out', timeoutMs: request.timeoutMs, stderr };
    case 'too_large':
      return { kind: 'too_large', maxOutputBytes: request.maxOutputBytes };
    case 'stuck':
      return { kind: 'stuck', count: 2 };
    case 'hangs':
      return untilAborted(request.signal);
    case undefined:
      return Buffer.byteLength(stdout) > request.maxOutputBytes
        ? { kind: 'too_large', maxOutputBytes: request.maxOutputBytes }
        : { kind: 'exited', code: exitCode, stdout, stderr };
  }
};

const untilAborted = (signal: AbortSignal): Promise<CommandResult> => {
  const { promise, resolve } = Promise.withResolvers<CommandResult>();
  const end = (): void => resolve({ kind: 'aborted' });
  if (signal.aborted) end();
  else signal.addEventListener('abort', end, { once: true });
  return promise;
};
