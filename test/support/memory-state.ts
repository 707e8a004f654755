/** A source's memory that lasts as long as the test. Goes through JSON, as the real one does. */
import type { SourceState } from '../../src/sources/source.ts';

export interface MemoryState extends SourceState {
  /** Bytes that a key takes as JSON. */
  size(key: string): number;
}

export const createMemoryState = (initial: Readonly<Record<string, unknown>> = {}): MemoryState => {
  const texts = new Map(Object.entries(initial).map(([key, value]) => [key, JSON.stringify(value)]));
  return {
    get: (key) => {
      const text = texts.get(key);
      return text === undefined ? undefined : JSON.parse(text);
    },
    set: (key, value) => void texts.set(key, JSON.stringify(value)),
    size: (key) => texts.get(key)?.length ?? 0,
  };
};
