/** What was said in a loop, in order; kept for whoever wants to know why a model did what it did. */

export type TranscriptEntry =
  | { readonly kind: 'system'; readonly text: string }
  | { readonly kind: 'user'; readonly text: string }
  | {
      readonly kind: 'assistant';
      readonly text: string;
      readonly calls: readonly { readonly name: string; readonly arguments: unknown }[];
    }
  | {
      readonly kind: 'tools';
      readonly results: readonly {
        readonly name: string;
        /** Null: it succeeded. */
        readonly error: string | null;
        readonly text: string;
      }[];
    }
  | { readonly kind: 'end'; readonly reason: string; readonly message: string | null };

export interface Transcript {
  add(entry: TranscriptEntry): void;
}
