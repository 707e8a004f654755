/** Asks mounts for their space without ever being held up by one that hangs. */
import pLimit from 'p-limit';
import type { Clock } from '../../runtime/clock.ts';
import type { Trouble } from './command-trouble.ts';
import type { MountSpace, RootReader, SpaceRead } from './root-reader.ts';

export interface SpaceQuestion {
  readonly mountPoint: string;
  readonly remote: boolean;
}

export type SpaceAnswer =
  | { readonly kind: 'space'; readonly space: MountSpace }
  | ({ readonly kind: 'none' } & Trouble);

export interface SpaceAsker {
  ask(question: SpaceQuestion, signal: AbortSignal): Promise<SpaceAnswer>;
}

export interface SpaceAskerDeps {
  readonly reader: RootReader;
  readonly clock: Clock;
  readonly timeoutMs: number;
}

/** Each hanging question of a local file system holds one of the four threads that Node has for files and names. */
const HANGING_LOCAL = 2;
const AT_ONCE = { local: 2, remote: 4 } as const;

/** Lives as long as its source: a mount that hangs is remembered, and asked again only once it has answered. */
export const createSpaceAsker = ({ reader, clock, timeoutMs }: SpaceAskerDeps): SpaceAsker => {
  const hanging = new Map<string, 'local' | 'remote'>();
  const lanes = { local: pLimit(AT_ONCE.local), remote: pLimit(AT_ONCE.remote) };
  return {
    ask: ({ mountPoint, remote }, signal) => {
      const lane = remote ? 'remote' : 'local';
      return lanes[lane](async () => {
        if (hanging.has(mountPoint)) return hangs(`${mountPoint} does not answer since an earlier question`);
        const hangingLocal = [...hanging.values()].filter((kind) => kind === 'local').length;
        if (!remote && hangingLocal >= HANGING_LOCAL) {
          return hangs(`${mountPoint} was not asked: ${hangingLocal} other file systems of this machine do not answer`);
        }
        hanging.set(mountPoint, lane);
        const answer = reader.space({ mountPoint, remote, signal }).finally(() => hanging.delete(mountPoint));
        return firstOf(answer, { clock, timeoutMs, signal, mountPoint });
      });
    },
  };
};

const hangs = (reason: string): SpaceAnswer => ({ kind: 'none', code: 'timed_out', reason });

interface Waiting {
  readonly clock: Clock;
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
  readonly mountPoint: string;
}

const firstOf = async (
  answer: Promise<SpaceRead>,
  { clock, timeoutMs, signal, mountPoint }: Waiting,
): Promise<SpaceAnswer> => {
  const done = new AbortController();
  const late = clock.sleep(timeoutMs, AbortSignal.any([signal, done.signal])).then(
    () => null,
    () => null,
  );
  const first = await Promise.race([answer, late]);
  done.abort();
  if (first !== null) return toAnswer(first, mountPoint);
  return hangs(
    signal.aborted
      ? `the survey ended before ${mountPoint} had answered`
      : `${mountPoint} gave no answer within ${timeoutMs / 1_000} s`,
  );
};

const toAnswer = (read: SpaceRead, mountPoint: string): SpaceAnswer => {
  switch (read.kind) {
    case 'read':
      return { kind: 'space', space: read.space };
    case 'absent':
      return {
        kind: 'none',
        code: 'not_permitted',
        reason: `${mountPoint} is mounted, but not where patrold can see it`,
      };
    case 'denied':
      return { kind: 'none', code: 'not_permitted', reason: `patrold may not look into ${mountPoint}` };
    case 'failed':
      return { kind: 'none', code: 'failed', reason: `${mountPoint}: ${read.reason}` };
  }
};
