/** What is remembered of the groups of a datastore, so that snapshots are listed only where something has changed. */
import { z } from 'zod';
import type { SourceState } from '../source.ts';

/** Short names: there are tens of thousands. Seconds since 1970. */
const entrySchema = z.object({
  /** The snapshot that the list of groups tells of, and whether it is complete. */
  l: z.number(),
  f: z.boolean(),
  /** Snapshots. */
  c: z.number(),
  /** Something has changed since its snapshots were listed. */
  d: z.literal(true).optional(),
  /** When its snapshots were listed; the rest is from then. */
  r: z.number().optional(),
  /** Start of the newest complete snapshot. */
  g: z.number().optional(),
  v: z.number().optional(),
  u: z.number().optional(),
  p: z.number().optional(),
  /** Starts of failed snapshots, newest first. */
  x: z.array(z.number()).optional(),
});
export type GroupEntry = z.infer<typeof entrySchema>;

const namespaceSchema = z.object({
  /** It was empty at the last look, and not before: once is not believed. */
  emptied: z.boolean(),
  /** By type and id: `vm/100`. */
  groups: z.record(z.string(), entrySchema),
});
const storeSchema = z.record(z.string(), namespaceSchema);

export interface NamespaceMemory {
  readonly emptied: boolean;
  readonly groups: ReadonlyMap<string, GroupEntry>;
}
/** By namespace; the root namespace is the empty text. */
export type StoreMemory = ReadonlyMap<string, NamespaceMemory>;

const keyOf = (store: string): string => `groups/${store}`;

export const recallGroups = (state: SourceState, store: string): StoreMemory => {
  const kept = storeSchema.safeParse(state.get(keyOf(store))).data ?? {};
  return new Map(
    Object.entries(kept).map(([namespace, { emptied, groups }]) => [
      namespace,
      { emptied, groups: new Map(Object.entries(groups)) },
    ]),
  );
};

/** One entry of a source's memory holds a mebibyte. */
const MAX_LENGTH = 1_000_000;

/** Where all of it does not fit, what takes another list of snapshots to learn again is left out. */
export const keepGroups = (state: SourceState, store: string, memory: StoreMemory): void => {
  const whole = toRecord(memory, (entry) => entry);
  const fits = JSON.stringify(whole).length <= MAX_LENGTH;
  state.set(keyOf(store), fits ? whole : toRecord(memory, ({ l, c, f }) => ({ l, c, f })));
};

const toRecord = (
  memory: StoreMemory,
  of: (entry: GroupEntry) => GroupEntry,
): Readonly<Record<string, { readonly emptied: boolean; readonly groups: Readonly<Record<string, GroupEntry>> }>> =>
  Object.fromEntries(
    [...memory].map(([namespace, { emptied, groups }]) => [
      namespace,
      { emptied, groups: Object.fromEntries([...groups].map(([key, entry]) => [key, of(entry)])) },
    ]),
  );
