/** What the server takes from one client, and from all of them. */
export interface HttpServerLimits {
  /** Larger than any body that a capability has: a note, with room to spare. */
  readonly bodyBytes: number;
  /** All headers and the URL together. */
  readonly headerBytes: number;
  /** For the head of a request to arrive. */
  readonly headersMs: number;
  /** For a whole request to arrive. */
  readonly requestMs: number;
  /** How often those two are looked at. */
  readonly checkEveryMs: number;
  /** A connection between two requests. */
  readonly keepAliveMs: number;
  /** A connection on which nothing moves, such as a client that does not take its answer. */
  readonly stalledMs: number;
  readonly connections: number;
  /** Requests of one token. */
  readonly perMinute: number;
  /** Requests without a valid token, from one address. */
  readonly anonymousPerMinute: number;
  /** For requests under way to end when the server closes. */
  readonly closeMs: number;
}

export const httpServerLimits: HttpServerLimits = {
  bodyBytes: 65_536,
  headerBytes: 16_384,
  headersMs: 10_000,
  requestMs: 20_000,
  checkEveryMs: 5_000,
  keepAliveMs: 30_000,
  stalledMs: 60_000,
  connections: 256,
  perMinute: 1_200,
  anonymousPerMinute: 240,
  closeMs: 5_000,
};
