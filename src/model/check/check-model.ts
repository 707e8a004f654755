/** `patrold model check`: is it there, is it the right one, does it call tools, how much fits, what does it cost. */
import { suggest } from '../../config/suggest.ts';
import { type Aliases, createAliases } from '../aliases.ts';
import { readApiKey } from '../api-key.ts';
import { cancellation } from '../attempt.ts';
import { createBudget } from '../budget.ts';
import { createCircuits } from '../circuit.ts';
import { addUsage, costUsd, NO_USAGE } from '../cost.ts';
import type { Model, ModelTurn, TurnOptions, Usage } from '../model.ts';
import { ModelFailure } from '../model-failure.ts';
import type { ModelSettings } from '../model-settings.ts';
import { type ModelDeps, openModel } from '../open-model.ts';
import type { ListedModel } from '../providers/model-list.ts';
import { createSpendingInMemory } from '../spending-in-memory.ts';
import { askServer, type Listing, type ServerQuestions } from './ask-server.ts';
import { checkToldContext, probeContext } from './check-context.ts';
import { CHECK_NAMES, type CheckName, type CheckResult, checked } from './check-result.ts';
import { askForCall, checkTools } from './check-tools.ts';

export interface ModelCheck {
  /** Nothing failed; what could not be told is no failure. */
  readonly ok: boolean;
  readonly provider: string;
  readonly name: string;
  readonly baseUrl: string;
  readonly results: readonly CheckResult[];
  readonly usage: Usage;
  readonly costUsd: number | null;
}

export interface CheckDeps extends Pick<ModelDeps, 'clock' | 'random'> {
  readonly signal: AbortSignal;
  readonly onResult: (result: CheckResult) => void;
}

const NO_NAMES: Aliases = createAliases('', () => []);
const SHOWN_MODELS = 5;

const nearest = (name: string, models: readonly ListedModel[]): string => {
  const names = models.map((model) => model.name);
  const near = suggest(name, names);
  if (near !== null) return `; did you mean "${near}"?`;
  const more = names.length > SHOWN_MODELS ? ` and ${names.length - SHOWN_MODELS} more` : '';
  return names.length === 0 ? '' : `; it has ${names.slice(0, SHOWN_MODELS).join(', ')}${more}`;
};

/** What a failed first turn says about the questions. */
const fromFailure = ({ kind, message }: ModelFailure, name: string, listing: Listing): CheckResult => {
  const models = listing.kind === 'listed' ? listing.models : [];
  switch (kind) {
    case 'unreachable':
    case 'unauthorised':
      return checked('reachable')('failed', message);
    case 'model_not_found':
      return checked('model')('failed', `${message}${nearest(name, models)}`);
    case 'refused':
      return /tool/i.test(message) ? checked('tools')('failed', message) : checked('model')('failed', message);
    default:
      return checked('model')('failed', message);
  }
};

const checkPrice = ({ price, limits }: ModelSettings): CheckResult => {
  if (price !== null) {
    const { inputUsd, outputUsd } = price;
    return checked('price')('ok', `${inputUsd} USD per million tokens of input, ${outputUsd} of output`);
  }
  const money = limits.usdPerRun ?? limits.usdPerDay ?? limits.usdPer30Days;
  const advice = 'set model.prices (0 and 0 for hardware of your own)';
  return money === undefined
    ? checked('price')('unknown', `not known: costs are not shown, limits in tokens hold; to see them ${advice}`)
    : checked('price')('failed', `not known: the limits in USD of model.budget can not hold; ${advice}`);
};

const contextOf = async (
  model: Model,
  settings: ModelSettings,
  server: ServerQuestions,
  listing: Listing,
  options: TurnOptions,
): Promise<CheckResult> => {
  const { name, provider } = settings;
  const listed = listing.kind === 'listed' ? listing.models.find((one) => one.name === name) : undefined;
  const told = (await server.loadedContextTokens(name)) ?? listed?.contextTokens ?? null;
  const result = checkToldContext(told, settings);
  if (result !== null) return result;
  // Hosted providers refuse what does not fit, and a long text there costs money.
  if (provider !== 'openai-compatible' || (settings.price?.inputUsd ?? 0) > 0)
    return checked('context')(
      'unknown',
      `${settings.contextTokens} tokens are used; the provider does not say what it offers`,
    );
  return probeContext(model, settings, options);
};

/** Asks one question after the other, and stops where an answer leaves nothing to ask. */
async function* ask(
  settings: ModelSettings,
  deps: CheckDeps,
  onUsage: (usage: Usage) => void,
): AsyncGenerator<CheckResult> {
  const { clock, random, signal } = deps;
  const apiKey = await readApiKey(settings);
  const server = askServer(settings, apiKey, signal);
  const budget = createBudget({ limits: {}, price: settings.price, log: createSpendingInMemory(), clock });
  // A circuit of its own: who asks wants to know now.
  const opened = openModel(settings, { clock, random, circuits: createCircuits(clock), budget, aliases: NO_NAMES });
  const options: TurnOptions = { signal, onUsage };
  try {
    const listing = await server.list();
    if (signal.aborted) throw cancellation(signal);
    if (listing.kind === 'failed') return yield checked('reachable')('failed', listing.failure.reason);
    const startedMs = clock.monotonicMs();
    let turn: ModelTurn;
    try {
      turn = await askForCall(opened.model, options);
    } catch (error) {
      if (!(error instanceof ModelFailure) || error.kind === 'cancelled') throw error;
      const failed = fromFailure(error, settings.name, listing);
      if (failed.name !== 'reachable') yield checked('reachable')('ok', `${opened.origin} answers`);
      if (failed.name === 'tools') yield checked('model')('ok', `${settings.name} is there`);
      return yield failed;
    }
    yield checked('reachable')('ok', `${opened.origin} answers`);
    const seconds = ((clock.monotonicMs() - startedMs) / 1_000).toFixed(1);
    yield checked('model')('ok', `${settings.name} answered in ${seconds} s`);
    yield await checkTools(opened.model, turn, options).catch((error: unknown) => {
      if (!(error instanceof ModelFailure) || error.kind === 'cancelled') throw error;
      return checked('tools')('failed', error.message);
    });
    yield await contextOf(opened.model, settings, server, listing, options);
  } finally {
    opened.close();
    server.close();
  }
}

/** Rejects with a `ModelFailure` when it is cancelled, or the key can not be read. */
export const checkModel = async (settings: ModelSettings, deps: CheckDeps): Promise<ModelCheck> => {
  const results = new Map<CheckName, CheckResult>();
  const tell = (result: CheckResult): void => {
    results.set(result.name, result);
    deps.onResult(result);
  };
  let usage = NO_USAGE;
  for await (const result of ask(settings, deps, (more) => {
    usage = addUsage(usage, more);
  }))
    tell(result);
  for (const name of CHECK_NAMES) {
    if (name === 'price') tell(checkPrice(settings));
    else if (!results.has(name)) tell(checked(name)('skipped', 'not asked after what failed'));
  }
  const all = CHECK_NAMES.flatMap((name) => results.get(name) ?? []);
  return {
    ok: all.every(({ state }) => state === 'ok' || state === 'unknown'),
    provider: settings.provider,
    name: settings.name,
    baseUrl: settings.baseUrl,
    results: all,
    usage,
    costUsd: costUsd(usage, settings.price),
  };
};
