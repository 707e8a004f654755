/** Units that were bad lately: they are looked at on after they have recovered, so that their findings can clear. */
import { z } from 'zod';
import type { SourceState } from '../source.ts';
import { prometheusLimits } from './prometheus-limits.ts';

const STATE_KEY = 'units';
const entry = z.object({ ref: z.string(), name: z.string(), badAtMs: z.number() });
type Entry = z.infer<typeof entry>;

/** Those that were bad within the last day, newest first. */
export const rememberedUnits = (state: SourceState, atMs: number): readonly Entry[] =>
  (z.array(z.unknown()).safeParse(state.get(STATE_KEY)).data ?? [])
    .flatMap((item) => entry.safeParse(item).data ?? [])
    .filter(({ badAtMs }) => atMs - badAtMs < prometheusLimits.unitMemoryMs)
    .toSorted((a, b) => b.badAtMs - a.badAtMs);

/** `bad` are those of now, by ref. */
export const rememberUnits = (state: SourceState, bad: ReadonlyMap<string, string>, atMs: number): void => {
  const now = [...bad].map(([ref, name]) => ({ ref, name, badAtMs: atMs }));
  const before = rememberedUnits(state, atMs).filter(({ ref }) => !bad.has(ref));
  state.set(STATE_KEY, [...now, ...before].slice(0, prometheusLimits.rememberedUnits));
};
