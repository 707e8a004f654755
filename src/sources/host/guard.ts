/** Keeps one collector's trouble from the others: it may throw or never end, and then that is a gap. */
import type { ReadingKind } from '../../../signals/reading.ts';
import { type Collector, HOST_REF, type HostContext } from './host-context.ts';
import { type Part, part } from './part.ts';

/** What the survey gives a collector beside the context. */
export interface NamedCollector {
  readonly name: string;
  readonly reads: readonly ReadingKind[];
  readonly collect: Collector;
}

/** After the survey's time is up its commands have been ended; what is still waiting then waits for a file. */
const GRACE_MS = 2_000;

export const collectGuarded = async (host: HostContext, { name, reads, collect }: NamedCollector): Promise<Part> => {
  const gap = (code: 'failed' | 'timed_out', reason: string): Part =>
    part({ gaps: [{ ref: HOST_REF, reads, code, reason }] });
  const late = afterAbort(host);
  try {
    const first = await Promise.race([collect(host), late.waited]);
    return first ?? gap('timed_out', `${name}: a file of the system did not answer before the survey ended`);
  } catch (error) {
    host.logger.error({ err: error, collector: name }, 'a collector of the host source threw');
    return gap('failed', `${name}: this is a defect of patrold, see its log`);
  } finally {
    late.stop();
  }
};

const afterAbort = ({ clock, request }: HostContext): { waited: Promise<null>; stop: () => void } => {
  const done = new AbortController();
  const { promise, resolve } = Promise.withResolvers<null>();
  const onAbort = (): void => {
    clock.sleep(GRACE_MS, done.signal).then(
      () => resolve(null),
      () => undefined,
    );
  };
  if (request.signal.aborted) onAbort();
  else request.signal.addEventListener('abort', onAbort, { once: true });
  return {
    waited: promise,
    stop: () => {
      request.signal.removeEventListener('abort', onAbort);
      done.abort();
    },
  };
};
