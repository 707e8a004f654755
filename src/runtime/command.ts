/** Runs foreign programs that only read: fixed argv and never a shell, a minimal environment, limits on time and output. */
import { type ChildProcess, spawn } from 'node:child_process';
import { collectOutput } from './command-output.ts';

export interface CommandRequest {
  /** A program name, searched in {@link COMMAND_PATH}, or an absolute path. */
  readonly file: string;
  readonly args: readonly string[];
  /** Added to the minimal environment; the only channel for secrets, since everyone can read another's argv. */
  readonly env?: Readonly<Record<string, string>>;
  readonly timeoutMs: number;
  /** Of stdout; more ends the command with `too_large`. stderr is kept to {@link STDERR_KEPT_BYTES}, the rest dropped. */
  readonly maxOutputBytes: number;
  readonly signal: AbortSignal;
}

/** How a command ended. Nothing is thrown: what happens to a foreign program is data. */
export type CommandResult =
  | { readonly kind: 'exited'; readonly code: number; readonly stdout: string; readonly stderr: string }
  /** Ended by a signal that this runner did not send. */
  | { readonly kind: 'signalled'; readonly signal: string; readonly stderr: string }
  | { readonly kind: 'not_found' }
  | { readonly kind: 'not_permitted' }
  /** stderr often says what it was waiting for. */
  | { readonly kind: 'timed_out'; readonly timeoutMs: number; readonly stderr: string }
  | { readonly kind: 'too_large'; readonly maxOutputBytes: number }
  | { readonly kind: 'aborted' }
  /** Not started: {@link STUCK_LIMIT} earlier ones of this program can't even be killed (waiting for a dead device). */
  | { readonly kind: 'stuck'; readonly count: number }
  /** The system would not start it (no memory, no descriptors, argument list too long). */
  | { readonly kind: 'failed'; readonly reason: string };

export interface CommandRunner {
  run(request: CommandRequest): Promise<CommandResult>;
}

/** Where programs are looked for: the caller's PATH is not trusted, and service managers often leave sbin out. */
const COMMAND_PATH = '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin';
export const STDERR_KEPT_BYTES = 16_384;
/** Between a polite end and a kill. */
const KILL_AFTER_MS = 1_000;
/** After its exit, for output that is still in the pipes; a background child that keeps them open is ended. */
const DRAIN_MS = 500;
/** Children of one program that outlived their kill; beyond it no more are started. */
const STUCK_LIMIT = 2;

/** Messages stay parseable in English, and times in UTC. */
const BASE_ENV = { PATH: COMMAND_PATH, LC_ALL: 'C.UTF-8', LANG: 'C.UTF-8', LANGUAGE: 'C', TZ: 'UTC' } as const;

export const createCommandRunner = (): CommandRunner => {
  const lingering = new Map<string, Set<ChildProcess>>();
  return {
    run: (request) => {
      const stuck = lingering.get(request.file)?.size ?? 0;
      if (stuck >= STUCK_LIMIT) return Promise.resolve({ kind: 'stuck', count: stuck });
      if (request.signal.aborted) return Promise.resolve({ kind: 'aborted' });
      return new Promise((resolve) => {
        start(request, lingering, resolve);
      });
    },
  };
};

type Lingering = Map<string, Set<ChildProcess>>;

const start = (request: CommandRequest, lingering: Lingering, resolve: (result: CommandResult) => void): void => {
  let child: ReturnType<typeof launch>;
  try {
    child = launch(request);
  } catch (error) {
    resolve(startFailure(error));
    return;
  }
  let drain: NodeJS.Timeout | undefined;
  let settled = false;
  const settle = (result: CommandResult): void => {
    if (settled) return;
    settled = true;
    clearTimeout(timer);
    clearTimeout(drain);
    request.signal.removeEventListener('abort', onAbort);
    child.stdout.destroy();
    child.stderr.destroy();
    resolve(result);
  };
  const cutOff = (result: CommandResult): void => {
    if (settled) return;
    endGroup(child, request.file, lingering);
    settle(result);
  };
  const onAbort = (): void => cutOff({ kind: 'aborted' });
  const tooLarge = (): void => cutOff({ kind: 'too_large', maxOutputBytes: request.maxOutputBytes });
  const stdout = collectOutput(child.stdout, request.maxOutputBytes, tooLarge);
  const stderr = collectOutput(child.stderr, STDERR_KEPT_BYTES, () => undefined);
  const timer = setTimeout(
    () => cutOff({ kind: 'timed_out', timeoutMs: request.timeoutMs, stderr: stderr.text() }),
    request.timeoutMs,
  );
  request.signal.addEventListener('abort', onAbort, { once: true });
  const finish = (code: number | null, signal: NodeJS.Signals | null): void => {
    if (code !== null) settle({ kind: 'exited', code, stdout: stdout.text(), stderr: stderr.text() });
    else settle({ kind: 'signalled', signal: signal ?? 'unknown', stderr: stderr.text() });
  };
  child.on('error', (error) => settle(startFailure(error)));
  child.on('exit', (code, signal) => {
    drain = setTimeout(() => {
      signalGroup(child, 'SIGTERM');
      finish(code, signal);
    }, DRAIN_MS);
  });
  child.on('close', finish);
};

/** In a session of its own: no terminal to prompt on, and one kill reaches its children too. */
const launch = (request: CommandRequest) =>
  spawn(request.file, [...request.args], {
    cwd: '/',
    detached: true,
    env: { ...BASE_ENV, ...request.env },
    shell: false,
    stdio: ['ignore', 'pipe', 'pipe'],
  });

/** Ends the child and all it started; who survives the kill is remembered until it is gone. */
const endGroup = (child: ChildProcess, file: string, lingering: Lingering): void => {
  if (hasExited(child)) {
    signalGroup(child, 'SIGKILL');
    return;
  }
  const ofFile = lingering.get(file) ?? new Set();
  lingering.set(file, ofFile);
  signalGroup(child, 'SIGTERM');
  const kill = setTimeout(() => {
    signalGroup(child, 'SIGKILL');
    ofFile.add(child);
  }, KILL_AFTER_MS);
  child.once('exit', () => {
    // The leader may be gone while what it started ignores SIGTERM.
    signalGroup(child, 'SIGKILL');
    clearTimeout(kill);
    ofFile.delete(child);
  });
};

const hasExited = (child: ChildProcess): boolean => child.exitCode !== null || child.signalCode !== null;

const signalGroup = (child: ChildProcess, signal: NodeJS.Signals): void => {
  if (child.pid === undefined) return;
  try {
    process.kill(-child.pid, signal);
  } catch {
    // ESRCH: the whole group has ended already.
  }
};

const startFailure = (error: unknown): CommandResult => {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  if (code === 'ENOENT' || code === 'ENOTDIR') return { kind: 'not_found' };
  if (code === 'EACCES' || code === 'EPERM') return { kind: 'not_permitted' };
  return {
    kind: 'failed',
    reason: code === '' ? 'the program could not be started' : `the program could not be started (${code})`,
  };
};
