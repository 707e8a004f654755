/** What a code of an error stands for. */
export interface ErrorMeaning {
  /** What happened, in one line. */
  readonly meaning: string;
  /** What the operator does about it, in one line. */
  readonly remedy: string;
}

export type ErrorMeanings = Readonly<Record<string, ErrorMeaning>>;
