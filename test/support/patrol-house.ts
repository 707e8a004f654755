/** A whole patrol on a real database and real sources, with a clock that can be set ahead. */
import { join } from 'node:path';
import type { Finding } from '../../findings/finding.ts';
import { LARGEST_PAGE } from '../../findings/page.ts';
import { detectors } from '../../signals/detectors/index.ts';
import { createPatrol, createSettings } from '../../src/composition/patrol.ts';
import { runOnce } from '../../src/composition/run-once.ts';
import { openStores } from '../../src/composition/stores.ts';
import { createConfigSchema } from '../../src/config/schema.ts';
import type { KeptResource } from '../../src/evidence/inventory-store.ts';
import type { RunReport } from '../../src/patrol/report.ts';
import type { RunKind } from '../../src/patrol/run-record.ts';
import { type Clock, systemClock } from '../../src/runtime/clock.ts';
import { openDatabase } from '../../src/runtime/database.ts';
import { createIds } from '../../src/runtime/ids.ts';
import { createLogger } from '../../src/runtime/logger.ts';
import { sectionDefinitions, sourceDefinitions } from '../../src/sources/index.ts';
import { temporaryDirectory } from './temporary-directory.ts';

export interface PatrolHouse {
  look(kind?: RunKind): Promise<RunReport>;
  /** Active findings after the last look, as `<resource id> <key>`. */
  active(): readonly string[];
  /** Everything that was ever filed, resolved or not. */
  all(): readonly Finding[];
  resources(): readonly KeptResource[];
  setAhead(byMs: number): void;
  close(): Promise<void>;
}

export const openPatrolHouse = (config: unknown): PatrolHouse => {
  let aheadMs = 0;
  const clock: Clock = { ...systemClock, nowMs: () => systemClock.nowMs() + aheadMs };
  const newId = createIds(clock.nowMs);
  const essentials = { clock, newId, logger: createLogger({ level: 'silent', clock }) };
  const db = openDatabase({ path: join(temporaryDirectory(), 'patrold.db') });
  const stores = openStores(db, newId, new Set(detectors.map(({ type }) => type)));
  const [checks, backups] = sectionDefinitions;
  const schema = createConfigSchema({
    sources: sourceDefinitions,
    checks: checks.configSchema,
    backups: backups.configSchema,
    detectors,
  });
  const settings = createSettings(schema.parse(config), essentials, stores.sources.stateOf);
  const patrol = createPatrol(essentials, stores, settings, () => undefined);
  const { signal } = new AbortController();
  return {
    look: async (kind = 'patrol') =>
      (await runOnce({ essentials, stores, patrol }, { kind, scope: null, onEvent: () => undefined, signal })).report,
    active: () =>
      stores.findings
        .active()
        .map(({ resourceId, key }) => `${resourceId} ${key}`)
        .toSorted(),
    all: () => stores.findings.list({ state: 'all', limit: LARGEST_PAGE }).findings,
    resources: () => [...stores.inventory.load().resources.values()],
    setAhead: (byMs) => {
      aheadMs += byMs;
    },
    close: async () => {
      await patrol.close();
      db.close();
    },
  };
};
