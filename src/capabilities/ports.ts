/** What capabilities look through: narrow views of the stores, which tests and the composition root provide. */
import type { ResourceReader } from '../evidence/resource-reader.ts';
import type { RunStore } from '../patrol/run-store.ts';
import type { PatrolSettings } from '../patrol/settings.ts';
import type { FindingPort } from './finding-port.ts';
import type { Manifest } from './manifest-schema.ts';

export interface CapabilityPorts {
  readonly findings: FindingPort;
  readonly runs: Pick<RunStore, 'get' | 'list' | 'report' | 'quietWatches'>;
  readonly resources: ResourceReader;
  /** As they are now: a reload replaces them. */
  readonly settings: () => Pick<PatrolSettings, 'detectors' | 'limits'>;
  readonly manifest: () => Manifest;
}
