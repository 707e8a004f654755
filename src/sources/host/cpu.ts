/** CPU use: the mean since the survey before where that is recent, else over a second of our own. */
import { z } from 'zod';
import type { CpuReading } from '../../../signals/reading.ts';
import { type Collector, HOST_REF, type HostContext } from './host-context.ts';
import { type Part, part } from './part.ts';
import { cpuUseBetween, type ProcStat, parseProcStat } from './proc-stat.ts';

const STATE_KEY = 'cpu';
/** A shorter mean says less than the next one will. */
const SHORTEST_WINDOW_MS = 30_000;
/** A longer one hides what happens now. */
const LONGEST_WINDOW_MS = 30 * 60_000;
const SAMPLE_MS = 1_000;

const rememberedSchema = z.object({
  bootId: z.string(),
  uptimeMs: z.number(),
  ticks: z.object({ busy: z.number(), idle: z.number(), iowait: z.number(), steal: z.number() }),
});

export const collectCpu: Collector = async (host) => {
  const additions = [{ ref: HOST_REF, expects: ['cpu' as const], facts: {} }];
  const reading = sinceLastSurvey(host) ?? (await overOneSecond(host));
  host.state.set(STATE_KEY, { bootId: host.bootId, uptimeMs: host.uptimeMs, ticks: host.procStat.ticks });
  if (reading !== null) {
    return part({ additions, readings: [{ ...reading, ref: HOST_REF, takenAtMs: host.clock.nowMs() }] });
  }
  return part({ additions, gaps: [STOOD_STILL] });
};

const STOOD_STILL: Part['gaps'][number] = {
  ref: HOST_REF,
  reads: ['cpu'],
  code: 'malformed',
  reason: 'the counters of /proc/stat could not be read twice, or stood still between the reads',
};

/** By uptime, not by the clock: that may have been set in between. */
const sinceLastSurvey = (host: HostContext): CpuReading | null => {
  const remembered = rememberedSchema.safeParse(host.state.get(STATE_KEY)).data;
  if (remembered === undefined || remembered.bootId !== host.bootId || host.bootId === '') return null;
  const windowMs = host.uptimeMs - remembered.uptimeMs;
  if (windowMs < SHORTEST_WINDOW_MS || windowMs > LONGEST_WINDOW_MS) return null;
  return toReading(remembered.ticks, host.procStat.ticks, windowMs);
};

const overOneSecond = async (host: HostContext): Promise<CpuReading | null> => {
  try {
    await host.clock.sleep(SAMPLE_MS, host.request.signal);
  } catch {
    return null;
  }
  const again = await host.reader.readText('/proc/stat');
  const later = again.kind === 'read' ? parseProcStat(again.text) : null;
  return later === null ? null : toReading(host.procStat.ticks, later.ticks, SAMPLE_MS);
};

const toReading = (from: ProcStat['ticks'], to: ProcStat['ticks'], windowMs: number): CpuReading | null => {
  const use = cpuUseBetween(from, to);
  return use === null ? null : { kind: 'cpu', ...use, windowMs, observedRatio: 1 };
};
