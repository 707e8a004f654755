/** Keeps the database bounded: forgets what is over, thins samples, drops old runs. True: there is more to forget. */
import { keepDays } from '../../findings/retention.ts';
import { SPENDING_KEPT_MS } from '../model/spending-store.ts';
import type { PatrolSettings } from '../patrol/settings.ts';
import type { Logger } from '../runtime/logger.ts';
import type { OpenStores } from './stores.ts';

const DAY_MS = 86_400_000;

export const upkeep = (
  stores: OpenStores,
  { keepResolvedMs, keepRunsMs }: PatrolSettings,
  nowMs: number,
  logger: Logger,
): boolean => {
  const findings = stores.findings.prune(nowMs, keepDays(keepResolvedMs / DAY_MS));
  const samples = stores.samples.prune(nowMs);
  const runs = stores.runs.prune(nowMs - keepRunsMs);
  stores.queue.prune(nowMs - keepRunsMs);
  stores.transcripts.prune(nowMs - keepRunsMs);
  stores.spending.prune(nowMs - SPENDING_KEPT_MS);
  const resources = stores.inventory.prune(nowMs - keepResolvedMs);
  logger.info({ findings, samples, runs, resources }, 'forgot what is over');
  return findings.more;
};
