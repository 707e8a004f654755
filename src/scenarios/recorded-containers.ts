/**
 * Answers of an engine about its containers, from the base's templates (`container.json`, `summary.json`, `stats.json`,
 * each as a real engine sent it) and what a scenario says differs.
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { mergePatch } from './merge-patch.ts';

type Json = Readonly<Record<string, unknown>>;

/** Patches so far, by container; kept beside the answers. */
const PATCHES_FILE = 'containers.json';

const read = (directory: string, file: string): unknown =>
  JSON.parse(readFileSync(join(directory, file), 'utf8')) as unknown;

interface Patch {
  /** Of the inspect answer. */
  readonly inspect?: Json;
  readonly summary?: Json;
  readonly stats?: Json;
  readonly id?: string;
}

const text = (value: unknown): string => (typeof value === 'string' ? value : '');
const record = (value: unknown): Json => (typeof value === 'object' && value !== null ? (value as Json) : {});

/** 64 hex digits that stay with the name, as engines give them. */
const idOf = (name: string): string => Buffer.from(name.repeat(64)).toString('hex').slice(0, 64);

const answersOf = (directory: string, name: string, patch: Patch): readonly Json[] => {
  const id = patch.id ?? idOf(name);
  const inspect = record(
    mergePatch(mergePatch(read(directory, 'container.json'), { Id: id, Name: `/${name}` }), patch.inspect ?? {}),
  );
  const state = record(inspect['State']);
  const stats = mergePatch(mergePatch(read(directory, 'stats.json'), { name: `/${name}`, id }), patch.stats ?? {});
  return [
    { path: `/containers/${id}/json`, answers: [{ body: inspect }] },
    ...(state['Running'] === true
      ? [
          {
            path: `/containers/${id}/stats`,
            query: { stream: 'false', 'one-shot': 'true' },
            answers: [{ body: stats }],
          },
        ]
      : []),
  ];
};

const summaryOf = (directory: string, name: string, patch: Patch): unknown => {
  const status = text(record(record(patch.inspect)['State'])['Status']) || 'running';
  const own = { Id: patch.id ?? idOf(name), Names: [`/${name}`], State: status };
  return mergePatch(mergePatch(read(directory, 'summary.json'), own), patch.summary ?? {});
};

/** Writes the list, and each container's inspect and stats, into `answers.json`. */
export const writeContainers = (directory: string, changes: Readonly<Record<string, Json | null>>): void => {
  const known = existsSync(join(directory, PATCHES_FILE))
    ? (read(directory, PATCHES_FILE) as Record<string, Patch>)
    : {};
  const patches = new Map(Object.entries(known));
  for (const [name, change] of Object.entries(changes)) {
    if (change === null) patches.delete(name);
    else patches.set(name, mergePatch(patches.get(name) ?? {}, change) as Patch);
  }
  writeFileSync(join(directory, PATCHES_FILE), JSON.stringify(Object.fromEntries(patches)));
  const others = (read(directory, 'answers.json') as readonly Json[]).filter(
    ({ path }) => !text(path).startsWith('/containers/'),
  );
  const list = {
    path: '/containers/json',
    query: { all: '1' },
    answers: [{ body: [...patches].map(([name, patch]) => summaryOf(directory, name, patch)) }],
  };
  const all = [...others, list, ...[...patches].flatMap(([name, patch]) => answersOf(directory, name, patch))];
  writeFileSync(join(directory, 'answers.json'), JSON.stringify(all));
};
