import { expect, test } from 'vitest';
import { createKnownIdentities, nothingKnown } from '../../../signals/identity/known.ts';
import { asResourceId } from '../../../signals/resource.ts';

const alias = (key: string, id: string, strength: 'proof' | 'hint' = 'proof') => ({
  key,
  id: asResourceId(id),
  strength,
});

test('proofs, former ids and taken ids are found again', () => {
  const known = createKnownIdentities({
    aliases: [alias('host * machine-id:1', 'nas'), alias('host * mac:a', 'nas', 'hint'), alias('id:old', 'nas')],
    resources: [],
    goneIds: [asResourceId('gone')],
  });
  const nas = asResourceId('nas');
  expect(known.proofsOf(nas)).toEqual(['host * machine-id:1']);
  expect(known.formerIdsOf(nas)).toEqual(['old']);
  expect(known.mergedInto(asResourceId('old'))).toBe('nas');
  expect(['nas', 'old', 'gone', 'new'].map(known.isTaken)).toEqual([true, true, true, false]);
});

test('at the first run nothing is known', () => {
  expect(nothingKnown.aliasOf('host * machine-id:1')).toBeUndefined();
  expect(nothingKnown.proofsOf(asResourceId('nas'))).toEqual([]);
});
