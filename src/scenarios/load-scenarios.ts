/** Reads the corpus: one directory a scenario, each with a `scenario.yaml`. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { z } from 'zod';
import { PatroldError } from '../runtime/errors.ts';
import { type Scenario, scenarioSchema } from './scenario-file.ts';

export interface LoadedScenario {
  readonly name: string;
  readonly directory: string;
  readonly scenario: Scenario;
}

const FILE = 'scenario.yaml';
/** What scenarios are built on; no scenario itself. */
export const BASE_DIRECTORY = 'base';

/** Throws `scenario_invalid` with every problem of the file. */
const load = (corpus: string, name: string): LoadedScenario => {
  const directory = join(corpus, name);
  const parsed = scenarioSchema.safeParse(parse(readFileSync(join(directory, FILE), 'utf8')));
  if (!parsed.success)
    throw new PatroldError('scenario_invalid', `scenario ${name}:\n${z.prettifyError(parsed.error)}`);
  return { name, directory, scenario: parsed.data };
};

export const loadScenarios = (corpus: string): readonly LoadedScenario[] =>
  readdirSync(corpus, { withFileTypes: true })
    .filter(
      (entry) => entry.isDirectory() && entry.name !== BASE_DIRECTORY && existsSync(join(corpus, entry.name, FILE)),
    )
    .map(({ name }) => name)
    .toSorted()
    .map((name) => load(corpus, name));
