/** The kernel ran out of memory and killed something. */
import { clear, type DetectorInput, defineDetector, type Judgement, unobserved } from '../detector.ts';
import { formatDuration } from '../format.ts';
import { newest } from '../newest.ts';
import type { OomKill, ReadingOf } from '../reading.ts';
import { stateLimit } from '../state-limit.ts';

const KINDS = ['host', 'node', 'vm'] as const;

/** It stays a finding for a day after the last kill, so that whoever looks in the morning sees it. */
export const SHOWN_MS = 86_400_000;

/** Victims that are named in a summary. */
const NAMED = 3;

interface Kills {
  readonly count: number;
  readonly firstAtMs: number;
  readonly lastAtMs: number;
  readonly victims: readonly string[];
}

type Input = DetectorInput<'oom_kills', 'oomKill'>;

/** Kills that were listed one by one. One inside a container belongs to the container. */
const listed = (kills: readonly OomKill[], isNews: (atMs: number) => boolean): Kills | null => {
  const own = kills.filter(({ atMs, inContainer }) => !inContainer && isNews(atMs));
  const [first] = own;
  if (first === undefined) return null;
  let [firstAtMs, lastAtMs] = [first.atMs, first.atMs];
  for (const { atMs } of own) {
    firstAtMs = Math.min(firstAtMs, atMs);
    lastAtMs = Math.max(lastAtMs, atMs);
  }
  return { count: own.length, firstAtMs, lastAtMs, victims: [...new Set(own.map(({ victim }) => victim))] };
};

const killsIn = (
  { kills, count, sinceMs, takenAtMs }: ReadingOf<'oom_kills'>,
  { lastSurveyAtMs, nowMs }: Input,
): Kills | null => {
  // What no survey has seen yet counts however long ago it was; at the first look, what is still shown.
  const isNews = (atMs: number): boolean =>
    nowMs - atMs < SHOWN_MS || (lastSurveyAtMs !== null && atMs > lastSurveyAtMs);
  if (kills !== null) return listed(kills, isNews);
  // A bare counter tells no times: counted since long ago (the boot), it is a baseline.
  if (count === 0 || !isNews(sinceMs)) return null;
  return { count, firstAtMs: sinceMs, lastAtMs: takenAtMs, victims: [] };
};

/** Kills of earlier looks that are still shown, as memory keeps them. */
const remembered = ({ before, nowMs }: Input): Kills | null => {
  const known = before(null);
  const bad = known === null || known.severity === null ? null : known.bad;
  if (bad === null || nowMs - bad.lastAtMs >= SHOWN_MS) return null;
  return { count: bad.looks, firstAtMs: bad.sinceMs, lastAtMs: bad.lastAtMs, victims: [] };
};

const victimText = ({ victims }: Kills): string => {
  if (victims.length === 0) return '';
  const named = victims.slice(0, NAMED).join(', ');
  return `: ${victims.length > NAMED ? `${named} and ${victims.length - NAMED} more` : named}`;
};

/** New kills are told by name; those of earlier looks only prolong the time and the count. */
const joined = (fresh: Kills | null, old: Kills | null): Kills | null => {
  if (fresh === null || old === null) return fresh ?? old;
  return {
    // Looks may overlap: only what came after the last known one is added.
    count: fresh.firstAtMs > old.lastAtMs ? old.count + fresh.count : Math.max(old.count, fresh.count),
    firstAtMs: Math.min(old.firstAtMs, fresh.firstAtMs),
    lastAtMs: Math.max(old.lastAtMs, fresh.lastAtMs),
    victims: fresh.victims,
  };
};

export const oomKill = defineDetector({
  type: 'oom_kill',
  title: 'Killed for lack of memory',
  category: 'reliability',
  kinds: KINDS,
  reads: ['oom_kills'],
  sources: 'each',
  limits: {
    oomKill: stateLimit({
      metric: 'oomKill',
      kinds: KINDS,
      because: 'an event: something was killed, whatever the memory looks like now',
    }),
  },
  explain:
    "Kills that the kernel's log, or its counter, tells since the last completed survey, at the first look those of the last day; the victim is named where the log names it. A kill inside a container's own limit belongs to the container. It stays a finding for a day after the last kill. A counter alone that goes back further than a day is a baseline.",
  detect: (input: Input): Judgement => {
    const reading = newest(input.readings);
    if (reading === undefined) return unobserved('no_reading', 'no record of kills');
    const kills = joined(killsIn(reading, input), remembered(input));
    if (kills === null) return clear();
    const { count, firstAtMs, lastAtMs } = kills;
    const times = count === 1 ? 'once' : `${count} times`;
    return {
      state: 'raised',
      subject: null,
      severity: 'warning',
      level: { value: count, limit: null, unit: 'count' },
      summary: `the kernel killed ${times} for lack of memory, last ${formatDuration(input.nowMs - lastAtMs)} ago${victimText(kills)}`,
      clearsWhen: `nothing was killed for ${formatDuration(SHOWN_MS)}`,
      evidence: [reading.id],
      sinceMs: firstAtMs,
      bad: { sinceMs: firstAtMs, lastAtMs, looks: count },
    };
  },
});
