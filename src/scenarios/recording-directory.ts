/** The directory that a recorded source plays from: a base, and what the steps so far changed of it. */
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { PatroldError } from '../runtime/errors.ts';
import { mergePatch } from './merge-patch.ts';
import { writeContainers } from './recorded-containers.ts';
import type { Recorded } from './scenario-file.ts';

type Json = Readonly<Record<string, unknown>>;

const write = (directory: string, file: string, text: string): void => {
  const path = join(directory, file);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
};

const edit = (directory: string, file: string, edits: Recorded['edits'][string]): void => {
  let text = readFileSync(join(directory, file), 'utf8');
  for (const [from, to] of edits) {
    const parts = text.split(from);
    if (parts.length !== 2)
      throw new PatroldError(
        'scenario_invalid',
        `${file} holds ${JSON.stringify(from)} ${parts.length - 1} times, not once`,
      );
    text = parts.join(to);
  }
  write(directory, file, text);
};

const readJson = (directory: string, file: string, fallback: unknown): unknown => {
  const path = join(directory, file);
  return existsSync(path) ? (JSON.parse(readFileSync(path, 'utf8')) as unknown) : fallback;
};

const writeCommand = (directory: string, words: string, command: unknown): void => {
  const file = join('commands', `${words.replace(/[^a-zA-Z0-9.-]+/g, '_').slice(0, 120)}.command.json`);
  if (command === null) {
    rmSync(join(directory, file), { force: true });
    return;
  }
  const text = typeof command === 'string' ? { stdout: command } : (command as Json);
  write(directory, file, JSON.stringify({ argv: words.split(' '), ...text }, null, 2));
};

const writeAnswers = (directory: string, changed: Recorded['answers']): void => {
  const same = (a: Json, b: Json): boolean =>
    a['path'] === b['path'] && JSON.stringify(a['query'] ?? {}) === JSON.stringify(b['query'] ?? {});
  const known = readJson(directory, 'answers.json', []) as readonly Json[];
  const kept = known.filter((one) => !changed.some((other) => same(one, other)));
  write(directory, 'answers.json', JSON.stringify([...kept, ...changed]));
};

const body = (resultType: string, result: readonly unknown[]): string =>
  JSON.stringify({ status: 'success', data: { resultType, result } });

const writeQueries = (directory: string, { vectors, matrices }: Recorded, recordedAtMs: number): void => {
  const atS = recordedAtMs / 1000;
  for (const [name, samples] of Object.entries(vectors)) {
    const result = samples.map(([metric, value]) => ({ metric, value: [atS, String(value)] }));
    write(directory, `${name}.json`, body('vector', result));
  }
  for (const [name, tracks] of Object.entries(matrices)) {
    const result = tracks.map(([metric, values]) => ({
      metric,
      values: values.map(([agoS, value]) => [atS - agoS, String(value)]),
    }));
    write(directory, `${name}.json`, body('matrix', result));
  }
};

export const copyBase = (corpus: string, base: string | undefined, directory: string): void => {
  mkdirSync(directory, { recursive: true });
  if (base !== undefined) cpSync(join(corpus, 'base', base), directory, { recursive: true });
};

/** Applies what a step says of one source. */
export const applyRecorded = (
  directory: string,
  scenarioDirectory: string,
  recorded: Recorded,
  recordedAtMs: number,
): void => {
  for (const file of recorded.remove) rmSync(join(directory, file), { recursive: true, force: true });
  for (const [file, text] of Object.entries(recorded.files)) write(directory, file, text);
  for (const [file, edits] of Object.entries(recorded.edits)) edit(directory, file, edits);
  for (const [file, from] of Object.entries(recorded.copy))
    cpSync(join(scenarioDirectory, from), join(directory, file), { recursive: true });
  if (Object.keys(recorded.machine).length > 0) {
    write(
      directory,
      'machine.json',
      JSON.stringify(mergePatch(readJson(directory, 'machine.json', {}), recorded.machine)),
    );
  }
  for (const [words, command] of Object.entries(recorded.commands)) writeCommand(directory, words, command);
  if (Object.keys(recorded.containers).length > 0) writeContainers(directory, recorded.containers);
  if (recorded.answers.length > 0) writeAnswers(directory, recorded.answers);
  writeQueries(directory, recorded, recordedAtMs);
};
