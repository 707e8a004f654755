/** Which findings say that a whole thing is lost, and which only follow from that. */

/** The thing itself is away: what depends on it can't answer. */
const LOSS = new Set(['source_unavailable', 'guest_down', 'guest_unreachable', 'target_down']);

/** Does not answer or does not run: expected below something that is lost. */
const SYMPTOM = new Set([
  ...LOSS,
  'container_exited',
  'container_unhealthy',
  'service_failed',
  'storage_unavailable',
  'replication_failed',
]);

/** Types by which a machine that is switched off is noticed. */
const OFFLINE = new Set([...LOSS, 'storage_unavailable']);

export const isLossType = (type: string): boolean => LOSS.has(type);
export const isSymptomType = (type: string): boolean => SYMPTOM.has(type);
export const isOfflineType = (type: string): boolean => OFFLINE.has(type);
