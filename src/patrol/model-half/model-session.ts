/** The model's half of one run while it is under way: the open model, its tools, and how its loops ended. */
import { runLoop } from '../../agent/loop.ts';
import type { LoopEnd } from '../../agent/loop-end.ts';
import type { OnLoopEvent } from '../../agent/loop-event.ts';
import type { Profile } from '../../agent/profile.ts';
import type { Transcript } from '../../agent/transcript.ts';
import type { OpenedForRun } from '../../model/model-opener.ts';
import type { Clock } from '../../runtime/clock.ts';
import type { Logger } from '../../runtime/logger.ts';
import type { FilingContext } from '../../tools/filing-context.ts';
import type { Tool } from '../../tools/tool.ts';

/** Of one answer; a long explanation takes a tenth. */
const OUTPUT_TOKENS = 4_096;
/** Of a context so small that this would leave nothing, a quarter. */
const OUTPUT_SHARE = 0.25;

const LOOP_MS = 15 * 60_000;

export interface Asked {
  readonly name: string;
  readonly system: string;
  readonly seed: string;
  readonly tools: readonly Tool<FilingContext>[];
  readonly maxTurns: number;
}

export interface ModelSession {
  readonly opened: OpenedForRun;
  readonly context: FilingContext;
  /** In order. */
  readonly ends: readonly LoopEnd[];
  /** Whether it is of use to ask again in this run. */
  readonly mayGoOn: () => boolean;
  ask(asked: Asked): Promise<LoopEnd>;
}

export interface SessionDeps {
  readonly opened: OpenedForRun;
  readonly context: FilingContext;
  readonly clock: Pick<Clock, 'monotonicMs'>;
  readonly logger: Logger;
  readonly signal: AbortSignal;
  readonly transcriptOf: (loop: string) => Transcript;
  readonly emit: OnLoopEvent;
}

/** After these it would end the same way again. */
const FINAL: ReadonlySet<LoopEnd['reason']> = new Set(['out_of_budget', 'model_failed', 'cancelled']);

export const createModelSession = (deps: SessionDeps): ModelSession => {
  const { opened, context, clock, logger, signal, transcriptOf, emit } = deps;
  const ends: LoopEnd[] = [];
  return {
    opened,
    context,
    ends,
    mayGoOn: () => !ends.some(({ reason }) => FINAL.has(reason)),
    ask: async ({ name, system, seed, tools, maxTurns }) => {
      const { model } = opened;
      const profile: Profile<FilingContext> = {
        name,
        tools,
        gates: [],
        maxTurns,
        maxOutputTokens: Math.min(OUTPUT_TOKENS, Math.floor(model.contextTokens * OUTPUT_SHARE)),
        maxDurationMs: LOOP_MS,
      };
      const transcript = transcriptOf(name);
      const end = await runLoop({ profile, model, system, seed, context, clock, logger, signal, transcript, emit });
      ends.push(end);
      return end;
    },
  };
};

/** One line for people about how a loop ended. */
export const loopNote = ({ reason, failure, turns, calls, usage }: LoopEnd): string => {
  const used = `${turns} turns, ${calls.succeeded} calls, ${usage.inputTokens + usage.outputTokens} tokens`;
  const failed = calls.failed + calls.refused;
  return [
    reason === 'finished' ? used : `${reason.replaceAll('_', ' ')}, ${used}`,
    ...(failed === 0 ? [] : [`${failed} calls refused or failed`]),
    ...(failure === null ? [] : [failure.message]),
  ].join('; ');
};
