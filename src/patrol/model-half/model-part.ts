/** What became of the model in a run: it has none, or a session that stages after the detectors go on with. */
import type { ModelSession } from './model-session.ts';

export type ModelPart =
  | {
      readonly kind: 'none';
      readonly reason: string;
      /** A configured model did not do its part: the run is incomplete. */
      readonly isMissing: boolean;
    }
  | { readonly kind: 'open'; readonly session: ModelSession };
