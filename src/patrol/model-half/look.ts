/** What happens before the detectors where there is a model: what it may cost, what it is told, and its loop. */
import { evaluate } from '../../../signals/evaluate.ts';
import type { ResourceId } from '../../../signals/resource.ts';
import { createHistory } from '../../evidence/history.ts';
import type { OpenedForRun } from '../../model/model-opener.ts';
import type { ModelSettings } from '../../model/model-settings.ts';
import { shortId } from '../../runtime/ids.ts';
import { filingTools, lookingTools } from '../../tools/index.ts';
import { openTools } from '../../tools/open-tools.ts';
import { resultCharacters } from '../../tools/pipeline/long-results.ts';
import type { RunPass } from '../run-pass.ts';
import type { StageName } from '../run-record.ts';
import type { Surveyed } from '../stages/survey.ts';
import { easedLimits } from './eased-limits.ts';
import { censusText, guestCensus } from './guest-census.ts';
import { createModelSession, loopNote, type ModelSession } from './model-session.ts';
import { seedContext } from './seed-context.ts';
import { PATROL_TEXT } from './system-text.ts';
import { type Triage, triage } from './triage.ts';
import { patrolTurns } from './turn-budgets.ts';

/** What a first turn is taken to need: system text, tools and seed of a quiet run. */
const FIRST_TURN_TOKENS = 6_000;

/** Of the model's context, the seed may take so much. */
const SEED_SHARE = 0.2;
const SEED_TOKENS = 9_000;

const AFTER_TRIAGE = ['seed_context', 'model_loop'] as const satisfies readonly StageName[];
const AFTER_BUDGET = ['guest_intelligence', 'triage', ...AFTER_TRIAGE] as const satisfies readonly StageName[];

export type Looked =
  | {
      readonly kind: 'none';
      readonly reason: string;
      readonly isMissing: boolean;
      /** Stages that were not reached. */
      readonly skipped: readonly StageName[];
    }
  | { readonly kind: 'open'; readonly session: ModelSession };

const budgetCheck = ({ budget }: OpenedForRun): string | null => {
  const refusal = budget.refusal(FIRST_TURN_TOKENS);
  if (refusal === null) return null;
  const { limit, allowed, spent } = refusal;
  return `out of budget: ${limit} is ${allowed}, ${Math.round(spent * 100) / 100} are spent`;
};

const triageOf = (pass: RunPass, { ledger }: Surveyed, isInScope: (id: ResourceId) => boolean): Triage => {
  const { deps, settings, nowMs } = pass;
  const { world, change } = ledger;
  const resources = world.resources.filter(({ id }) => isInScope(id));
  const before = deps.inventory.load().resources;
  return triage({
    resources,
    evaluation: evaluate({
      world: { ...world, resources },
      detectors: settings.detectors,
      limits: easedLimits(settings.limits),
      history: createHistory(ledger.series, deps.samples, nowMs),
      memories: deps.verdicts.load(change.merged),
      nowMs,
    }),
    // Of the very first run everything would be new.
    isNew: (id) => before.size > 0 && !before.has(id),
  });
};

const openSession = (pass: RunPass, surveyed: Surveyed, opened: OpenedForRun): ModelSession => {
  const { deps, settings, runId, nowMs, signal } = pass;
  const { model } = opened;
  return createModelSession({
    opened,
    clock: deps.clock,
    logger: deps.logger,
    signal,
    transcriptOf: (loop) => deps.transcripts.open(runId, loop),
    emit: (event) => deps.onEvent({ kind: 'model_event', runId, event }),
    context: openTools(deps, {
      runId,
      nowMs,
      ledger: surveyed.ledger,
      detectors: settings.detectors,
      limits: settings.limits,
      sources: settings.sources.map(({ source }) => source),
      actor: { kind: 'model', name: model.name },
      resultLength: resultCharacters(model.contextTokens),
      onFiled: ({ findingId, resourceId, key, outcome }) => {
        const finding = deps.findings.find(findingId);
        if (finding === null) return;
        const { severity, summary } = finding;
        const change = { findingId, resourceId, key, severity, change: outcome, summary };
        deps.logger.info({ run: runId, ...change }, 'finding changed');
        deps.onEvent({ kind: 'finding_changed', runId, change });
      },
    }),
  });
};

const seedOf = (
  pass: RunPass,
  surveyed: Surveyed,
  worth: Triage,
  opened: OpenedForRun,
  isInScope: (id: ResourceId) => boolean,
) => {
  const { world } = surveyed.ledger;
  return seedContext({
    nowMs: pass.nowMs,
    surveys: surveyed.surveys,
    triage: worth,
    census: guestCensus(
      world.resources.filter(({ id }) => isInScope(id)),
      world,
    ),
    known: pass.deps.findings.active().filter(({ resourceId }) => isInScope(resourceId)),
    budgetTokens: Math.min(SEED_TOKENS, Math.floor(opened.model.contextTokens * SEED_SHARE)),
    shortId,
  });
};

/** Opens the model, lets it look, and leaves the session for the stages after the detectors. */
export const look = async (
  pass: RunPass,
  surveyed: Surveyed,
  settings: ModelSettings,
  isInScope: (id: ResourceId) => boolean,
): Promise<Looked> => {
  const { recorder, deps } = pass;
  const { resources } = surveyed.ledger.world;
  const names = resources.map(({ id, kind, name }) => ({ id: id as string, kind: kind as string, name }));
  const opened = await deps.openModel(settings, () => names);
  const refusal = await recorder.run('budget_check', () => {
    const value = budgetCheck(opened);
    return { value, note: value ?? 'within budget' };
  });
  if (refusal !== null) return { kind: 'none', reason: refusal, isMissing: true, skipped: AFTER_BUDGET };
  await recorder.run('guest_intelligence', () => {
    const value = guestCensus(
      resources.filter(({ id }) => isInScope(id)),
      surveyed.ledger.world,
    );
    return { value, note: censusText(value) };
  });
  const worth = await recorder.run('triage', () => {
    const value = triageOf(pass, surveyed, isInScope);
    return { value, note: `${value.flags.length} worth a look` };
  });
  const known = deps.findings.active().some(({ resourceId }) => isInScope(resourceId));
  if (pass.settings.quiet === 'skip' && worth.flags.length === 0 && !known)
    return { kind: 'none', reason: 'nothing stands out', isMissing: false, skipped: AFTER_TRIAGE };
  const seed = await recorder.run('seed_context', () => {
    const value = seedOf(pass, surveyed, worth, opened, isInScope);
    return { value, note: `${value.shownFlags} worth a look and ${value.shownFindings} findings told` };
  });
  const session = openSession(pass, surveyed, opened);
  await recorder.run('model_loop', async () => {
    const value = await session.ask({
      name: 'patrol',
      system: PATROL_TEXT,
      seed: seed.text,
      tools: [...lookingTools, ...filingTools],
      maxTurns: patrolTurns(worth.flags.length),
    });
    return { value, note: loopNote(value) };
  });
  return { kind: 'open', session };
};
