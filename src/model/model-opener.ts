/** Opens the configured model for a run; what has to outlive runs, circuits and spending, lives here. */
import { type Aliases, createAliases, type NamedThing } from './aliases.ts';
import { type Budget, createBudget, type SpendingLog } from './budget.ts';
import { type Circuits, createCircuits } from './circuit.ts';
import type { Model } from './model.ts';
import type { ModelSettings } from './model-settings.ts';
import { type ModelDeps, type OpenModel, openModel } from './open-model.ts';

export interface OpenedForRun extends OpenModel {
  /** Asked before any context is built: what can't be afforded is not prepared. */
  readonly budget: Budget;
}

export interface ModelOpener {
  readonly circuits: Circuits;
  /** `names` is asked before each turn: a run learns of more things as it goes. */
  open(settings: ModelSettings, names: () => readonly NamedThing[]): OpenedForRun;
}

export interface ModelOpenerDeps extends Pick<ModelDeps, 'clock' | 'random'> {
  readonly spending: SpendingLog;
  /** Read when aliases are wanted for the first time. Throws `alias_key_unusable`. */
  readonly aliasKey: () => string;
  /** For metrics: the model as it is to be used. */
  readonly observe?: (model: Model, settings: ModelSettings) => Model;
}

/** Where nothing is replaced; never asked. */
const NOTHING: Aliases = { names: () => [], hide: (text) => text, reveal: (text) => text };

/** One for the life of the daemon. */
export const createModelOpener = ({ clock, random, spending, aliasKey, observe }: ModelOpenerDeps): ModelOpener => {
  const circuits = createCircuits(clock);
  return {
    circuits,
    open: (settings, names) => {
      const budget = createBudget({ limits: settings.limits, price: settings.price, log: spending, clock });
      const aliases = settings.replaceNames ? createAliases(aliasKey(), names) : NOTHING;
      const opened = openModel(settings, { clock, random, circuits, budget, aliases });
      return { ...opened, model: observe?.(opened.model, settings) ?? opened.model, budget };
    },
  };
};
