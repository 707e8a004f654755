/** What holds of the resolver for any claims, however contradictory. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { hint, type IdentityKey, proof, type ResourceClaim, type SourceClaims } from '../../../signals/claim.ts';
import { namespaceOf } from '../../../signals/identity/alias.ts';
import { asResourceId, type ResourceKind } from '../../../signals/resource.ts';
import { claimOf, createInventory, surveyOf } from '../../support/identities.ts';

const RUNS = 500;

/** Few namespaces and few values, so that nearly everything collides with something. */
const key: fc.Arbitrary<IdentityKey> = fc.record({
  key: fc.tuple(fc.constantFrom('p', 'q', 'r'), fc.integer({ min: 1, max: 4 })).map(([ns, value]) => `${ns}:${value}`),
  scope: fc.constantFrom('world', 'parent'),
  strength: fc.constantFrom('proof', 'hint'),
});

const claims: fc.Arbitrary<readonly ResourceClaim[]> = fc
  .array(
    fc.record({
      kind: fc.constantFrom<ResourceKind>('host', 'node', 'vm', 'filesystem'),
      name: fc.constantFrom('a', 'b', '/'),
      parent: fc.option(fc.integer({ min: 0, max: 6 })),
      keys: fc.array(key, { minLength: 1, maxLength: 3 }),
      refersTo: fc.option(fc.constantFrom('a', 'b', 'a/vm/b'), { freq: 8 }),
    }),
    { maxLength: 7 },
  )
  .map((drafts) =>
    drafts.map(({ kind, name, parent, keys, refersTo }, index) =>
      claimOf(kind, `r${index}`, keys, {
        name,
        parentRef: parent === null ? null : `r${parent}`,
        refersTo: refersTo === null ? null : asResourceId(refersTo),
      }),
    ),
  );

/** As sources make them: a kind of thing lies at one depth, and only a check refers to something. */
const orderly = (list: readonly ResourceClaim[]): readonly ResourceClaim[] =>
  list.map((claim, index) => {
    const isRoot = claim.kind !== 'filesystem' && claim.kind !== 'vm';
    const parent = list.find(({ kind }) => kind === 'host' || kind === 'node');
    const parentRef = isRoot || parent === undefined || parent.ref === claim.ref ? null : parent.ref;
    return claim.refersTo === null
      ? { ...claim, parentRef }
      : claimOf('endpoint', `e${index}`, claim.keys, { refersTo: claim.refersTo });
  });

const surveys: fc.Arbitrary<readonly SourceClaims[]> = fc
  .array(claims, { minLength: 1, maxLength: 3 })
  .map((lists) => lists.map((list, index) => surveyOf(`s${index}`, list)));

const reversed = (all: readonly SourceClaims[]): readonly SourceClaims[] =>
  all.map(({ sourceId, claims: list }) => surveyOf(sourceId, list.toReversed()));

const idsByRef = (
  all: readonly SourceClaims[],
  idOf: (sourceId: string, ref: string) => string | null,
): readonly (string | null)[] =>
  all.flatMap(({ sourceId, claims: list }) => list.map(({ ref }) => idOf(sourceId, ref)));

test('the order of the claims in a survey changes nothing, at the first run and later', () => {
  fc.assert(
    fc.property(surveys, surveys, (first, second) => {
      const [one, other] = [createInventory(), createInventory()];
      for (const run of [first, second]) {
        const a = one.run(run);
        const b = other.run(reversed(run));
        expect(idsByRef(run, b.idOf)).toEqual(idsByRef(run, a.idOf));
        expect(b.resources).toEqual(a.resources);
      }
    }),
    { numRuns: RUNS },
  );
});

test('the same claims again give the same ids and nothing new to remember', () => {
  fc.assert(
    fc.property(surveys, (noise) => {
      const all = noise.map(({ sourceId, claims: list }) => surveyOf(sourceId, orderly(list)));
      const inventory = createInventory();
      const first = inventory.run(all);
      const second = inventory.run(all);
      expect(idsByRef(all, second.idOf)).toEqual(idsByRef(all, first.idOf));
      expect(second.aliases).toEqual([]);
      expect(second.merged).toEqual([]);
    }),
    { numRuns: RUNS },
  );
});

test('even what contradicts itself at every depth settles by the third run', () => {
  fc.assert(
    fc.property(surveys, (noise) => {
      const all = noise.map(({ sourceId, claims: list }) =>
        surveyOf(
          sourceId,
          list.map((claim) => ({ ...claim, refersTo: null })),
        ),
      );
      const inventory = createInventory();
      inventory.run(all);
      inventory.run(all);
      const third = inventory.run(all);
      const fourth = inventory.run(all);
      expect(idsByRef(all, fourth.idOf)).toEqual(idsByRef(all, third.idOf));
      expect(fourth.aliases).toEqual([]);
      expect(fourth.merged).toEqual([]);
    }),
    { numRuns: RUNS },
  );
});

test('two claims of one survey that differ in a proof never share a resource', () => {
  fc.assert(
    fc.property(surveys, surveys, (before, now) => {
      const inventory = createInventory();
      inventory.run(before);
      const { idOf } = inventory.run(now);
      for (const { sourceId, claims: list } of now) {
        for (const [a, b] of list.flatMap((x, i) => list.slice(i + 1).map((y) => [x, y] as const))) {
          if (a.refersTo !== null || b.refersTo !== null || idOf(sourceId, a.ref) !== idOf(sourceId, b.ref)) continue;
          expect([a, b, provenApart(a, b)]).toEqual([a, b, []]);
        }
      }
    }),
    { numRuns: RUNS },
  );
});

const proofsOf = (claim: ResourceClaim): readonly IdentityKey[] =>
  claim.keys.filter(({ strength }) => strength === 'proof');

const provenApart = (a: ResourceClaim, b: ResourceClaim): readonly string[] =>
  [...new Set(proofsOf(a).map((each) => namespaceOf(each.key)))].filter((namespace) => {
    const [mine, theirs] = [a, b].map((claim) => proofsOf(claim).filter((each) => namespaceOf(each.key) === namespace));
    return theirs?.length !== 0 && !mine?.some((each) => theirs?.some((other) => other.key === each.key));
  });

test('every claim with a ref of its own gets an id, and every id is the id of one resource', () => {
  fc.assert(
    fc.property(surveys, (all) => {
      const { idOf, resources } = createInventory().run(all);
      const ids = new Set(resources.map(({ id }) => id as string));
      expect(ids.size).toBe(resources.length);
      expect(new Set(idsByRef(all, idOf))).toEqual(ids);
    }),
    { numRuns: RUNS },
  );
});

test('a rename of everything that is not a proof keeps every id', () => {
  const machine = fc.record({
    proofs: fc.uniqueArray(fc.integer({ min: 1, max: 50 }), { minLength: 1, maxLength: 4 }),
    suffix: fc.stringMatching(/^[a-z]{1,3}$/),
  });
  fc.assert(
    fc.property(fc.uniqueArray(machine, { maxLength: 5, selector: ({ proofs }) => proofs[0] }), (machines) => {
      const world = (name: (suffix: string) => string): readonly ResourceClaim[] =>
        machines.flatMap(({ proofs, suffix }) => {
          const ref = name(suffix) + proofs[0];
          const parent = claimOf('host', ref, [proof(`machine-id:${proofs[0]}`), hint(`hostname:${ref}`)]);
          const disks = proofs.map((serial) =>
            claimOf('disk', `${ref}-${serial}`, [proof(`serial:${serial}`, 'parent'), hint(`name:${ref}`, 'parent')], {
              parentRef: ref,
            }),
          );
          return [parent, ...disks];
        });
      const inventory = createInventory();
      const [before, after] = [world((suffix) => suffix), world((suffix) => `new-${suffix}`)];
      const first = inventory.run([surveyOf('old', before)]);
      const second = inventory.run([surveyOf('renamed', after)]);
      expect(after.map(({ ref }) => second.idOf('renamed', ref))).toEqual(
        before.map(({ ref }) => first.idOf('old', ref)),
      );
    }),
    { numRuns: RUNS / 4 },
  );
});
