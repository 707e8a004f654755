/** The world of a run, as several sources see it: what is missing when one of them fails, and when a thing is gone. */
import { expect, test } from 'vitest';
import { hint, proof, type ResourceClaim } from '../../signals/claim.ts';
import { createKnownIdentities } from '../../signals/identity/known.ts';
import type { ResourceId } from '../../signals/resource.ts';
import type { Survey } from '../../signals/survey.ts';
import type { Inventory, KeptResource } from '../../src/evidence/inventory-store.ts';
import { createLedger, type Ledger } from '../../src/evidence/ledger.ts';
import { claimOf } from '../support/identities.ts';

const AT_MS = Date.UTC(2026, 2, 10, 12);

const surveyOf = (sourceId: string, claims: readonly ResourceClaim[], more: Partial<Survey> = {}): Survey => ({
  sourceId,
  outcome: 'ok',
  reason: null,
  startedAtMs: AT_MS,
  durationMs: 10,
  claims,
  readings: [],
  series: [],
  gaps: [],
  listed: [],
  ...more,
});

const failed = (sourceId: string): Survey => surveyOf(sourceId, [], { outcome: 'failed', reason: 'nobody answers' });

const startRuns = () => {
  const resources = new Map<ResourceId, KeptResource>();
  const aliases = new Map<string, Ledger['change']['aliases'][number]>();
  return (surveys: readonly Survey[]): Ledger => {
    const inventory: Inventory = {
      resources,
      known: createKnownIdentities({
        aliases: aliases.values(),
        resources: [...resources.values()].map((kept) => ({ ...kept, presence: 'remembered' })),
      }),
      hintsSeenAtMs: new Map(),
    };
    const configured = ['cluster', 'backups'];
    const ledger = createLedger({ surveys, inventory, configured, sameAs: [], tags: {}, lastSurveyAtMs: () => null });
    for (const alias of ledger.change.aliases) aliases.set(alias.key, alias);
    for (const resource of ledger.change.seen) {
      resources.set(resource.id, { ...resource, seenAtMs: AT_MS, absentLooks: 0, goneAtMs: null });
    }
    for (const { id, absentLooks, gone } of ledger.change.absent) {
      const kept = resources.get(id);
      if (kept !== undefined) resources.set(id, { ...kept, absentLooks, goneAtMs: gone ? AT_MS : null });
    }
    return ledger;
  };
};

const guest = claimOf('vm', 'guest', [proof('guest:1')], { name: 'vm1', answersTo: ['group:1'] });
const other = claimOf('vm', 'other', [proof('guest:2')], { name: 'vm2' });
const store = claimOf('datastore', 'store', [hint('store:1')]);
const group = claimOf('vm', 'group', [], { parentRef: 'store', attachesTo: ['group:1'], expects: ['backup'] });
const VMS = [{ kind: 'vm', parentRef: null }] as const;

const cluster = (...guests: readonly ResourceClaim[]): Survey => surveyOf('cluster', guests, { listed: VMS });
const backups = surveyOf('backups', [store, group]);

const idNamed = ({ world }: Ledger, name: string) => world.resources.find((resource) => resource.name === name)?.id;

test('a guest that its cluster no longer lists is gone, whatever backups there are of it', () => {
  const run = startRuns();
  expect(idNamed(run([cluster(guest, other), backups]), 'vm1')).toBe('vm1');
  expect(run([cluster(other), backups]).gone.size).toBe(0);
  expect([...run([cluster(other), backups]).gone.keys()]).toEqual(['vm1']);
});

test('a guest is not gone while its cluster can not be asked, or the backup server can not', () => {
  const run = startRuns();
  run([cluster(guest, other), backups]);
  for (let round = 0; round < 3; round += 1) expect(run([failed('cluster'), backups]).gone.size).toBe(0);
  for (let round = 0; round < 3; round += 1) expect(run([cluster(other), failed('backups')]).gone.size).toBe(0);
});

test('what a source that fails would have said of things that others still see is missing, and said to be', () => {
  const run = startRuns();
  run([cluster(guest), backups]);
  const ledger = run([cluster(guest), failed('backups')]);
  const id = idNamed(ledger, 'vm1');
  expect(id === undefined ? [] : ledger.world.gapsOf(id)).toEqual([
    { sourceId: 'backups', reads: [], code: 'source_failed', reason: 'backups: nobody answers' },
  ]);
  expect(ledger.world.resources.find(({ name }) => name === 'vm1')).toMatchObject({
    presence: 'observed',
    sourceIds: ['cluster', 'backups'],
    expects: ['backup'],
  });
});

test('gaps of a source are about its own things, those of one thing about that', () => {
  const run = startRuns();
  const gap = { ref: null, reads: ['backup'], code: 'not_due', reason: 'hourly' } as const;
  const ledger = run([cluster(guest, other), { ...backups, gaps: [gap, { ...gap, ref: 'group', code: 'failed' }] }]);
  const codes = (name: string): readonly string[] => {
    const id = idNamed(ledger, name);
    return id === undefined ? [] : ledger.world.gapsOf(id).map(({ code }) => code);
  };
  expect(codes('vm1')).toEqual(['failed', 'not_due']);
  expect(codes('vm2')).toEqual([]);
});
