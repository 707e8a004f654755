/** Reads the last lines that a container wrote. */
import type { Clock } from '../../runtime/clock.ts';
import { PatroldError } from '../../runtime/errors.ts';
import { type LogAnswer, type LogRequest, MAX_LOG_LINES, newestLines } from '../log.ts';
import { createEngineQuestions } from './ask-engine.ts';
import type { DockerApi } from './docker-api.ts';
import { type Engine, readEngine } from './engine.ts';
import { parseLog } from './log-frames.ts';

export interface ContainerLogDeps {
  readonly api: DockerApi;
  readonly clock: Pick<Clock, 'nowMs' | 'monotonicMs'>;
}

/** Ids as engines give them; nothing else gets into the path. */
const CONTAINER_ID = /^[0-9a-f]{12,64}$/;

export const readContainerLog = async (
  { api, clock }: ContainerLogDeps,
  { ref, kind, untilMs, signal }: LogRequest,
): Promise<LogAnswer> => {
  if (kind !== 'container' || !CONTAINER_ID.test(ref))
    return { ok: false, code: 'not_supported', reason: 'the engine has logs of its containers only' };
  const ask = createEngineQuestions(api, signal);
  const engine = await engineOrReason(ask, clock);
  if (typeof engine === 'string') return { ok: false, code: 'failed', reason: engine };
  const until = String(Math.floor((untilMs + engine.clockOffset.ms) / 1_000));
  const tail = String(MAX_LOG_LINES + 1);
  const query = { stdout: '1', stderr: '1', timestamps: '1', tail, until };
  const read = await ask.bytes(engine.prefix, `/containers/${ref}/logs`, query);
  return read.ok ? newestLines(parseLog(read.value)) : { ok: false, ...read.failure };
};

const engineOrReason = async (
  ask: Parameters<typeof readEngine>[0],
  clock: ContainerLogDeps['clock'],
): Promise<Engine | string> => {
  try {
    return await readEngine(ask, clock);
  } catch (error) {
    if (error instanceof PatroldError) return error.message;
    throw error;
  }
};
