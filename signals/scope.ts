/** Reasons why a detector has nothing to say about a resource (DETECTORS.md rule 5). */
import { isGuest, type Resource } from './resource.ts';

/** Use is judged while a guest runs. A host that can't be reached is unobserved, not out of scope. */
export const skipStoppedGuest = ({ kind, status }: Resource): string | null =>
  isGuest(kind) && (status === 'stopped' || status === 'paused') ? `it is ${status}` : null;
