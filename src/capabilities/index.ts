/** Every capability there is. */
import type { AnyCapability } from './capability.ts';
import { getCoverage } from './get-coverage.ts';
import { getFinding } from './get-finding.ts';
import { getResource } from './get-resource.ts';
import { getRun } from './get-run.ts';
import { getThresholds } from './get-thresholds.ts';
import { listCapabilities } from './list-capabilities.ts';
import { listFindings } from './list-findings.ts';
import { listResources } from './list-resources.ts';
import { listRuns } from './list-runs.ts';

export const capabilities: readonly AnyCapability[] = [
  listCapabilities,
  listFindings,
  getFinding,
  listRuns,
  getRun,
  getCoverage,
  listResources,
  getResource,
  getThresholds,
];
