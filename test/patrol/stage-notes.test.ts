import { expect, test } from 'vitest';
import { hint } from '../../signals/claim.ts';
import { createKnownIdentities } from '../../signals/identity/known.ts';
import type { Survey } from '../../signals/survey.ts';
import { createLedger } from '../../src/evidence/ledger.ts';
import { surveyNote } from '../../src/patrol/stage-notes.ts';
import { claimOf } from '../support/identities.ts';

const survey: Survey = {
  sourceId: 'backups',
  outcome: 'ok',
  reason: null,
  startedAtMs: 1,
  durationMs: 1,
  claims: [
    claimOf('datastore', 'store', [hint('store:1')]),
    claimOf('vm', 'group', [], { parentRef: 'store', attachesTo: ['group:1'] }),
  ],
  readings: [],
  series: [],
  gaps: [],
  listed: [],
};

test('a survey is told with what is not whole, and with what belongs to nobody', () => {
  const note = (surveys: readonly Survey[]): string => {
    const inventory = {
      resources: new Map(),
      known: createKnownIdentities({ aliases: [], resources: [] }),
      hintsSeenAtMs: new Map(),
    };
    const configured = surveys.map(({ sourceId }) => sourceId);
    const ledger = createLedger({ surveys, inventory, configured, sameAs: [], tags: {}, lastSurveyAtMs: () => null });
    return surveyNote({ surveys, ledger, paces: new Map() });
  };
  expect(note([survey])).toBe('1 source, 2 resources, 1 reading, 1 unattributed');
  // Who would have answered is not known while a source is missing.
  const failed: Survey = { ...survey, sourceId: 'home', outcome: 'failed', reason: 'nobody answers', claims: [] };
  expect(note([survey, failed])).toBe('2 sources, 1 not whole, 3 resources, 2 readings');
});
