/** Who asks for a change, when, and on what evidence. */
import type { RunId } from '../finding.ts';
import type { ReadingOf } from './evidence-table.ts';

export interface RunContext {
  readonly nowMs: number;
  readonly runId: RunId | null;
  /** The run's evidence by id; what it does not know is cited without being kept. */
  readonly readingOf: ReadingOf;
}

export interface RequestContext {
  readonly nowMs: number;
  /** Given by a client, so that asking again after a crash changes nothing twice. */
  readonly requestId?: string | null;
}

export interface WriteContext extends RunContext {
  readonly requestId: string | null;
}

const noReading: ReadingOf = () => null;

export const ofRun = (context: RunContext): WriteContext => ({ ...context, requestId: null });

export const ofRequest = ({ nowMs, requestId = null }: RequestContext): WriteContext => ({
  nowMs,
  requestId,
  runId: null,
  readingOf: noReading,
});
