/** OOM kills since the last survey: from the journal, else the kernel's log buffer, else its counter. */
import { z } from 'zod';
import type { OomKillsReading } from '../../../signals/reading.ts';
import type { Trouble } from './command-trouble.ts';
import { type Collector, HOST_REF, type HostContext } from './host-context.ts';
import { readJournal } from './journal.ts';
import { readKernelRing } from './kernel-ring.ts';
import { type KernelMessage, OOM_PATTERN, oomKillsIn } from './oom-messages.ts';
import { part } from './part.ts';

const STATE_KEY = 'oom-counter';
/** At the first survey, and after a long stop: what is older is history. */
const LONGEST_LOOK_BACK_MS = 24 * 3_600_000;
const MESSAGES = 4_000;

const rememberedSchema = z.object({ bootId: z.string(), count: z.number(), atMs: z.number() });

export const collectOomKills: Collector = async (host) => {
  const additions = [{ ref: HOST_REF, expects: ['oom_kills' as const], facts: {} }];
  const counter = await fromCounter(host);
  const read = host.environment.container === null ? await fromLogs(host) : null;
  const reading = read !== null && !('code' in read) ? read : counter;
  if (reading !== null)
    return part({ additions, readings: [{ ...reading, ref: HOST_REF, takenAtMs: host.clock.nowMs() }] });
  const trouble: Trouble =
    read !== null && 'code' in read
      ? read
      : { code: 'not_supported', reason: 'this container has no counter of OOM kills' };
  return part({ additions, gaps: [{ ref: HOST_REF, reads: ['oom_kills'], ...trouble }] });
};

const fromLogs = async (host: HostContext): Promise<OomKillsReading | Trouble> => {
  const sinceMs = Math.max(host.request.lastSurveyAtMs ?? 0, host.nowMs - LONGEST_LOOK_BACK_MS);
  const messages = await kernelMessages(host, sinceMs);
  if ('code' in messages) return messages;
  const kills = oomKillsIn(messages).filter(({ atMs }) => atMs > sinceMs);
  return { kind: 'oom_kills', sinceMs, kills, count: kills.length };
};

/** A cause may have been logged just before `sinceMs` and its kill just after: a second of overlap joins them. */
const kernelMessages = async (host: HostContext, sinceMs: number): Promise<readonly KernelMessage[] | Trouble> => {
  const sinceSeconds = Math.floor(sinceMs / 1_000) - 1;
  const args = ['_TRANSPORT=kernel', `--since=@${sinceSeconds}`, `--lines=${MESSAGES}`];
  const journal =
    (await host.reader.list('/run/systemd/journal')).kind === 'absent'
      ? null
      : await readJournal(host, args, OOM_PATTERN);
  if (journal !== null && !('code' in journal)) return journal;
  const ring = await readKernelRing(host);
  if ('code' in ring) return journal ?? ring;
  return isWrapped(ring, sinceMs, host.nowMs - host.uptimeMs) ? WRAPPED : ring;
};

const WRAPPED: Trouble = {
  code: 'cut_short',
  reason: "the kernel's log buffer does not reach back to the last survey",
};
/** The first message of a boot comes at once. */
const FIRST_MESSAGE_MS = 60_000;

const isWrapped = (ring: readonly KernelMessage[], sinceMs: number, bootedAtMs: number): boolean => {
  const oldestAtMs = ring[0]?.atMs ?? 0;
  return oldestAtMs > sinceMs && oldestAtMs > bootedAtMs + FIRST_MESSAGE_MS;
};

/** The kernel counts them since 4.13; a container's own group does too. The first look is a baseline. */
const fromCounter = async (host: HostContext): Promise<OomKillsReading | null> => {
  const inContainer = host.environment.container !== null;
  const path = inContainer ? '/sys/fs/cgroup/memory.events' : '/proc/vmstat';
  const read = await host.reader.readText(path);
  const said = read.kind === 'read' ? /^oom_kill (\d+)$/m.exec(read.text)?.[1] : undefined;
  if (said === undefined) return null;
  const count = Number(said);
  const before = rememberedSchema.safeParse(host.state.get(STATE_KEY)).data;
  host.state.set(STATE_KEY, { bootId: host.bootId, count, atMs: host.nowMs });
  const isSameBoot = before !== undefined && before.bootId === host.bootId && before.count <= count;
  const baseline = before === undefined ? count : isSameBoot ? before.count : 0;
  return { kind: 'oom_kills', sinceMs: before?.atMs ?? host.nowMs, kills: null, count: count - baseline };
};
