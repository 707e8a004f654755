/** What it takes to ask a backup server in one survey. */
import type { Clock } from '../../runtime/clock.ts';
import type { ProxmoxReader } from '../proxmox/proxmox-reader.ts';
import type { Rights } from '../proxmox/rights.ts';
import type { SourceState, SurveyRequest } from '../source.ts';

export interface Asking {
  readonly ask: ProxmoxReader;
  readonly clock: Pick<Clock, 'nowMs'>;
  readonly request: SurveyRequest;
  readonly rights: Rights;
  readonly state: SourceState;
}
