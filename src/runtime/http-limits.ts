/** Limits of one HTTP exchange; hitting one is a failure that names it. */
export interface HttpLimits {
  /** Name lookup, TCP and TLS. */
  readonly connectMs: number;
  /** From the request's end to the head of the answer. */
  readonly firstByteMs: number;
  /** Silence inside the body. */
  readonly idleMs: number;
  /** Everything, from the moment it has a connection or may open one. */
  readonly totalMs: number;
  readonly maxBodyBytes: number;
}

export const httpDefaultLimits: HttpLimits = {
  connectMs: 5_000,
  firstByteMs: 20_000,
  idleMs: 10_000,
  totalMs: 30_000,
  maxBodyBytes: 64 * 1024 * 1024,
};
