/** One look at a container as claim, readings and gaps. Pure. */
import type { ResourceClaim } from '../../../signals/claim.ts';
import type { ReadingBody, ReadingKind } from '../../../signals/reading.ts';
import type { Gap, SurveyedReading } from '../../../signals/survey.ts';
import { containerClaim } from './claims.ts';
import { containerReading, type StopKnowledge } from './container-reading.ts';
import type { Inspected } from './container-schema.ts';
import { cpuCount, cpuUse, hasMemoryLimit, memoryUse } from './container-use.ts';
import type { CpuCount } from './cpu-use.ts';
import type { Engine } from './engine.ts';
import type { Counters, CountersRead, Look } from './look-at-container.ts';
import type { Read } from './read-failure.ts';

export interface ContainerReport {
  readonly claim: ResourceClaim;
  readonly readings: readonly SurveyedReading[];
  readonly gaps: readonly Gap[];
  /** To be compared with at the next survey. */
  readonly count: CpuCount | null;
}

export interface ReportContext {
  readonly engine: Engine;
  readonly countsBefore: Readonly<Record<string, CpuCount>>;
  readonly countedAgain: ReadonlyMap<string, CountersRead>;
  stopsOf(id: string): StopKnowledge;
}

interface Use {
  readonly readings: readonly ReadingBody[];
  readonly gaps: readonly Omit<Gap, 'ref'>[];
  readonly expects: readonly ReadingKind[];
  readonly count: CpuCount | null;
}

const NO_USE: Use = { readings: [], gaps: [], expects: [], count: null };

/** Null: it was removed while the survey ran. */
export const reportContainer = (look: Look, context: ReportContext): ContainerReport | null => {
  const { container, inspected, atMs } = look;
  const ref = container.listed.Id;
  if (inspected === 'gone' || context.countedAgain.get(ref) === 'gone') return null;
  if (!inspected.ok) {
    const { code, reason } = inspected.failure;
    const claim = containerClaim(container, { inspected: null, expects: ['container'] });
    return {
      claim,
      readings: [],
      gaps: [{ ref, reads: [], code, reason: `${container.name}: ${reason}` }],
      count: null,
    };
  }
  const state = containerReading(inspected.value, context.stopsOf(ref), context.engine.clockOffset.ms);
  const use =
    look.counters === null || look.counters === 'stopped'
      ? NO_USE
      : useOf(look.counters, inspected.value, ref, context);
  const bodies: readonly ReadingBody[] = typeof state === 'string' ? use.readings : [state, ...use.readings];
  const unread: Omit<Gap, 'ref'>[] =
    typeof state === 'string' ? [{ reads: ['container'], code: 'malformed', reason: state }] : [];
  return {
    claim: containerClaim(container, { inspected: inspected.value, expects: ['container', ...use.expects] }),
    readings: bodies.map((body) => ({ ...body, ref, takenAtMs: atMs })),
    gaps: [...unread, ...use.gaps].map((gap) => ({ ref, ...gap, reason: `${container.name}: ${gap.reason}` })),
    count: use.count,
  };
};

const useOf = (first: Read<Counters>, inspected: Inspected, id: string, context: ReportContext): Use => {
  const expects: readonly ReadingKind[] = hasMemoryLimit(inspected, context.engine)
    ? ['cpu', 'container_memory']
    : ['cpu'];
  if (!first.ok) {
    const { code, reason } = first.failure;
    return { ...NO_USE, expects, gaps: [{ reads: expects, code, reason }] };
  }
  const again = context.countedAgain.get(id);
  // It ended while it was measured: the next survey sees what became of it.
  if (again === 'stopped' || again === 'gone') return NO_USE;
  const counters = again?.ok === true ? again.value : first.value;
  const now = cpuCount(counters, inspected);
  const before = again?.ok === true ? cpuCount(first.value, inspected) : context.countsBefore[id];
  const parts = [memoryUse(counters, inspected, context.engine), cpuUse(before, now, inspected, context.engine)];
  return {
    readings: parts.flatMap(({ readings }) => readings),
    gaps: parts.flatMap(({ missing }) => missing),
    expects,
    count: now,
  };
};
