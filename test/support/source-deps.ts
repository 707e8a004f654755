/** What the composition root hands to a source, for tests. */
import { createLogger } from '../../src/runtime/logger.ts';
import type { SourceDeps, SurveyRequest } from '../../src/sources/source.ts';
import { createFakeClock } from './fake-clock.ts';
import { createMemoryState } from './memory-state.ts';

export const sourceDeps = (more: Partial<SourceDeps> = {}): SourceDeps => {
  const clock = more.clock ?? createFakeClock(Date.now());
  return {
    clock,
    logger: createLogger({ level: 'silent', clock }),
    localMachineId: '0123456789abcdef0123456789abcdef',
    state: createMemoryState(),
    ...more,
  };
};

export const surveyRequest = (more: Partial<SurveyRequest> = {}): SurveyRequest => ({
  signal: AbortSignal.timeout(60_000),
  windowsMs: { cpu: [], memory: [], temperature: [] },
  lastSurveyAtMs: null,
  paces: ['fast', 'hourly', 'daily'],
  ...more,
});
