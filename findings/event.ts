/** Everything that can happen to a finding. */
import type { UnobservedCode } from '../signals/detector.ts';
import type { AssessmentVerdict } from './assessment.ts';
import type { Filing } from './filing.ts';
import type { DismissalReason, FindingId } from './finding.ts';
import type { Actor } from './history-entry.ts';
import type { InvestigationOutcome } from './investigation.ts';

/** What a look at the infrastructure said about it. */
export type LookEvent =
  | { readonly kind: 'seen'; readonly filing: Filing }
  /** The detector's verdict is clear; or a model says so, about a key that no detector owns. */
  | { readonly kind: 'cleared'; readonly actor: Actor; readonly reason: string | null }
  /** Its resource or subject is no more. */
  | { readonly kind: 'gone'; readonly reason: string }
  /** A whole look no longer held its subject; the second such look makes it gone. */
  | { readonly kind: 'absent'; readonly lookAtMs: number; readonly reason: string }
  | { readonly kind: 'unobserved'; readonly code: UnobservedCode; readonly reason: string }
  | { readonly kind: 'folded'; readonly under: FindingId }
  | { readonly kind: 'unfolded' }
  /** A model had its chance to file what a detector raised, and said why it did not. */
  | { readonly kind: 'declined'; readonly reason: string }
  /** A model was asked about it. `changed`: it says something else than in the run before. */
  | {
      readonly kind: 'assessed';
      readonly verdict: AssessmentVerdict;
      readonly reason: string;
      readonly actor: Actor;
      readonly changed: boolean;
    };

/** What an operator decided. */
export type VerbEvent =
  | { readonly kind: 'acknowledge'; readonly by: string; readonly note: string | null }
  | { readonly kind: 'unacknowledge'; readonly by: string }
  | { readonly kind: 'snooze'; readonly by: string; readonly untilMs: number; readonly note: string | null }
  | { readonly kind: 'unsnooze'; readonly by: string }
  | { readonly kind: 'dismiss'; readonly by: string; readonly reason: DismissalReason; readonly note: string | null }
  | { readonly kind: 'undismiss'; readonly by: string }
  | { readonly kind: 'resolve'; readonly by: string; readonly note: string }
  | { readonly kind: 'note'; readonly by: string; readonly note: string };

/** A suppression rule came to cover it, or went away. */
export type RuleEvent =
  | {
      readonly kind: 'suppressed';
      readonly suppressionId: string;
      readonly actor: Actor;
      readonly reason: string | null;
    }
  | { readonly kind: 'unsuppressed'; readonly suppressionId: string; readonly actor: Actor };

export type InvestigationEvent =
  | { readonly kind: 'investigation_started' }
  /** `outcome: null`: it was cut short by a crash and may be tried again. `fix`: what was done, where something was. */
  | { readonly kind: 'investigation_ended'; readonly outcome: InvestigationOutcome | null; readonly fix: string | null }
  /** The fix that it proposed was decided about, executed or verified. */
  | { readonly kind: 'fix_progressed'; readonly outcome: InvestigationOutcome; readonly fix: string | null };

/** Time alone: snoozes end, reminders come due. */
export interface TimeEvent {
  readonly kind: 'time_passed';
}

export type FindingEvent = LookEvent | VerbEvent | RuleEvent | InvestigationEvent | TimeEvent;
