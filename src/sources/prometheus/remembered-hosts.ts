/** Hosts that stopped answering, kept in the source's state for as long as Prometheus still tries to scrape them. */
import { z } from 'zod';
import type { SourceState } from '../source.ts';
import type { NodeIdentity } from './node-claims.ts';
import { prometheusLimits } from './prometheus-limits.ts';
import type { Targets } from './targets.ts';

const STATE_KEY = 'hosts-down';

const entry = z.object({
  key: z.string(),
  nodename: z.string(),
  bootS: z.number().nullable(),
  macs: z.array(z.string()),
  collectors: z.array(z.string()),
});

const toEntry = ({ key, nodename, bootS, macs, collectors }: NodeIdentity): z.infer<typeof entry> => ({
  key,
  nodename,
  bootS,
  macs: [...macs],
  collectors: [...collectors].filter(([, worked]) => worked).map(([name]) => name),
});

/**
 * What is known of the hosts whose target is down: their last words where Prometheus still has them, else what was
 * remembered of them. Keeps it for the next survey.
 */
export const rememberHosts = (
  lastWords: ReadonlyMap<string, NodeIdentity>,
  live: ReadonlyMap<string, NodeIdentity>,
  targets: Targets,
  state: SourceState,
): readonly NodeIdentity[] => {
  const kept = z.array(z.unknown()).safeParse(state.get(STATE_KEY)).data ?? [];
  const down = new Map<string, NodeIdentity>();
  const isDown = (key: string): boolean => targets.byKey(key)?.up === false && !live.has(key);
  for (const item of kept) {
    const { success, data } = entry.safeParse(item);
    if (!success || !isDown(data.key)) continue;
    const labels = targets.byKey(data.key)?.labels ?? {};
    down.set(data.key, { ...data, labels, collectors: new Map(data.collectors.map((name) => [name, true])) });
  }
  for (const [key, node] of lastWords) if (isDown(key)) down.set(key, node);
  const remembered = [...down.values()].slice(0, prometheusLimits.rememberedHosts);
  state.set(STATE_KEY, remembered.map(toEntry));
  return remembered;
};
