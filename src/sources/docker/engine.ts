/** The engine itself: what it is, how to speak to it, what its host has, and how its clock stands to ours. */

import type { Clock } from '../../runtime/clock.ts';
import { PatroldError } from '../../runtime/errors.ts';
import { cleanText } from '../../runtime/text.ts';
import { negotiateApiVersion } from './api-version.ts';
import type { EngineQuestions } from './ask-engine.ts';
import { dockerLimits } from './docker-limits.ts';
import { type EngineInfo, type EngineVersion, infoSchema, versionSchema } from './engine-schema.ts';
import { instantMs } from './instant.ts';
import type { Read } from './read-failure.ts';

export interface Engine {
  readonly kind: 'docker' | 'podman';
  readonly version: string;
  readonly prefix: string;
  readonly oneShotStats: boolean;
  /** Null where it has none that lasts: Podman makes one up at each question (pkg/api/handlers/compat/info.go). */
  readonly id: string | null;
  readonly hostName: string;
  readonly kernelRelease: string | null;
  readonly operatingSystem: string;
  readonly osType: string;
  readonly cpus: number | null;
  readonly memoryBytes: number | null;
  readonly clockOffset: ClockOffset;
  /** At most the length of one question ahead of the engine's own clock, never behind it; null: it tells no time. */
  timeMs(): number | null;
}

/** `ms` is to be taken off what the engine says. */
export interface ClockOffset {
  readonly ms: number;
  readonly known: boolean;
}

/** Above the time that a question to a busy engine takes; below, the two clocks are taken for one. */
const CLOCK_NOISE_MS = 2_000;

/** How far the engine's clock, somewhere between question and answer, is off ours. */
export const clockOffset = (systemTime: string | undefined, askedAtMs: number, answeredAtMs: number): ClockOffset => {
  const engineMs = instantMs(systemTime);
  if (engineMs === null) return { ms: 0, known: false };
  if (engineMs >= askedAtMs - CLOCK_NOISE_MS && engineMs <= answeredAtMs + CLOCK_NOISE_MS)
    return { ms: 0, known: true };
  return { ms: Math.round(engineMs - (askedAtMs + answeredAtMs) / 2), known: true };
};

/** The value, or a thrown `source_not_answering`: without this answer nothing can be said about the engine. */
export const need = <T>(read: Read<T>): T => {
  if (read.ok) return read.value;
  throw new PatroldError('source_not_answering', read.failure.reason, { details: { gap: read.failure.code } });
};

/** Throws `source_not_answering`. */
export const readEngine = async (
  ask: EngineQuestions,
  clock: Pick<Clock, 'nowMs' | 'monotonicMs'>,
): Promise<Engine> => {
  const version = need(await ask.json('', '/version', {}, versionSchema));
  const negotiated = negotiateApiVersion(version.ApiVersion, version.MinAPIVersion);
  if (!negotiated.ok) throw new PatroldError('source_not_answering', `${ask.origin}: ${negotiated.reason}`);
  const askedAtMs = clock.nowMs();
  const begun = clock.monotonicMs();
  const info = need(await ask.json(negotiated.prefix, '/info', {}, infoSchema));
  const systemTimeMs = instantMs(info.SystemTime);
  return {
    ...describe(version, info),
    prefix: negotiated.prefix,
    oneShotStats: negotiated.oneShotStats,
    clockOffset: clockOffset(info.SystemTime, askedAtMs, clock.nowMs()),
    timeMs: () => (systemTimeMs === null ? null : systemTimeMs + clock.monotonicMs() - begun),
  };
};

const describe = (
  version: EngineVersion,
  info: EngineInfo,
): Omit<Engine, 'prefix' | 'oneShotStats' | 'clockOffset' | 'timeMs'> => {
  const podman = version.Components?.some(({ Name }) => /^podman/i.test(Name)) === true;
  const clean = (text: string | undefined): string => cleanText(text ?? '', dockerLimits.nameLength);
  const id = clean(info.ID);
  return {
    kind: podman ? 'podman' : 'docker',
    version: clean(version.Version),
    id: podman || id === '' ? null : id,
    hostName: clean(info.Name),
    kernelRelease: info.KernelVersion ?? null,
    operatingSystem: clean(info.OperatingSystem),
    osType: info.OSType ?? 'linux',
    cpus: info.NCPU ?? null,
    memoryBytes: info.MemTotal ?? null,
  };
};
