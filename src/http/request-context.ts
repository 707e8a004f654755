/** What every request carries through its life. */
import type { Identity } from './identity.ts';

declare module 'fastify' {
  interface FastifyRequest {
    identity: Identity;
  }
}

export const UNIDENTIFIED: Identity = { kind: 'anonymous', shown: false };
