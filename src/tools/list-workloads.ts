import { z } from 'zod';
import type { Reading, ReadingKind } from '../../signals/reading.ts';
import { listReadings } from './list-readings.ts';
import type { LookingContext } from './looking-context.ts';
import { cursorInput, resourceInput } from './named-resource.ts';
import { defineTool } from './tool.ts';

const KINDS = {
  guests: ['guest_state', 'snapshots'],
  containers: ['container', 'container_memory'],
  services: ['unit'],
  checks: ['probe', 'target', 'certificate'],
  machines: ['boot', 'oom_kills', 'clock', 'bond', 'memory_errors', 'node_state', 'quorum', 'survey'],
} as const satisfies Readonly<Record<string, readonly ReadingKind[]>>;

const input = z.strictObject({
  what: z.enum(['guests', 'containers', 'services', 'checks', 'machines']),
  under: resourceInput.optional(),
  cursor: cursorInput,
});

/** What does not do what it is there for comes first. */
const weigh = (reading: Reading): number => {
  switch (reading.kind) {
    case 'unit':
      return reading.activeState === 'failed' ? 2 : reading.activeState === 'active' ? 0 : 1;
    case 'container':
      if (reading.state === 'restarting' || reading.state === 'dead' || reading.health === 'unhealthy') return 3;
      return reading.state === 'running' ? Math.min(1, reading.restartCount / 100) : 2;
    case 'container_memory':
      return reading.limitBytes === null ? 0 : reading.workingSetBytes / Math.max(1, reading.limitBytes);
    case 'guest_state':
      return reading.power === 'running' ? (reading.lock === null ? 0 : 1) : 2;
    case 'probe':
      return reading.answered ? 0 : 2;
    case 'target':
      return reading.up ? 0 : 2;
    case 'certificate':
      return reading.invalidReason === null
        ? 1 / Math.max(1, (reading.notAfterMs - reading.receivedAtMs) / 86_400_000)
        : 2;
    case 'boot':
      return reading.previousEndedOrderly === false ? 2 : 0;
    case 'oom_kills':
      return reading.count > 0 ? 2 : 0;
    case 'memory_errors':
      // Counted since the boot: whether they rise is for the past to tell.
      return reading.uncorrectable > 0 ? 1.5 : reading.correctable > 0 ? 0.5 : 0;
    case 'clock':
      return reading.synchronised === false ? 2 : Math.min(1, Math.abs(reading.offsetMs ?? 0) / 10_000);
    case 'bond':
      return reading.members.every(({ up }) => up) ? 0 : 2;
    case 'node_state':
      return reading.online === true ? 0 : 2;
    case 'quorum':
      return reading.quorate ? 0 : 3;
    case 'survey':
      return reading.outcome === 'ok' ? 0 : 2;
    default:
      return 0;
  }
};

export const listWorkloads = defineTool<LookingContext, z.output<typeof input>>({
  name: 'list_workloads',
  effect: 'read',
  description:
    'State of guests, containers, services (systemd units), checks (probes, scrape targets, certificates) or machines (boots, OOM kills, clocks, bonds, sources); troubled first.',
  input,
  timeoutMs: 5_000,
  run: async (asked, context) =>
    listReadings(context, { tool: 'list_workloads', asked, kinds: KINDS[asked.what], weigh, about: 'State' }),
});
