/** What a code of an error says to an operator. */
export interface ErrorMeaning {
  /** What happened, in one line. */
  readonly meaning: string;
  /** What the operator does about it, in one line. */
  readonly remedy: string;
}
