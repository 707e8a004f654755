/** Maps the texts of one request after another; a conversation only grows, and what was mapped before is not mapped again. */
import { type MapText, mapRequestTexts } from './map-texts.ts';
import type { ModelRequest } from './model.ts';

/**
 * `map` has to give the same for the same text, for as long as `stamp` gives the same value. Texts of the last request
 * are remembered, so what is kept is never more than one conversation.
 */
export const createRequestMap = (map: MapText, stamp: () => unknown = () => null) => {
  let last = new Map<string, string>();
  let stamped: unknown = null;
  return (request: ModelRequest): ModelRequest => {
    const now = stamp();
    const before = now === stamped ? last : new Map<string, string>();
    const next = new Map<string, string>();
    const mapped = mapRequestTexts(request, (text) => {
      const known = next.get(text) ?? before.get(text) ?? map(text);
      next.set(text, known);
      return known;
    });
    last = next;
    stamped = now;
    return mapped;
  };
};
