/** A window over which a use metric was averaged. `windowMs: 0` is an instant. */
export interface Averaged {
  readonly windowMs: number;
  /** Share of the window in which the source really has samples, 0..1. */
  readonly observedRatio: number;
}
