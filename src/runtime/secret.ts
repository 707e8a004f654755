/** A credential that can't be printed by accident. */
import { inspect } from 'node:util';

const REDACTED = '[redacted]';

/** Prints `[redacted]` as text, as JSON, and when inspected; `reveal()` is the only way to its value. */
export interface Secret {
  reveal(): string;
  toString(): string;
  toJSON(): string;
}

const secrets = new WeakSet<object>();

/** Keeps `value` in a closure, so that no walk over the object's properties finds it. */
export const createSecret = (value: string): Secret => {
  const secret = Object.freeze({
    reveal: () => value,
    toString: () => REDACTED,
    toJSON: () => REDACTED,
    [inspect.custom]: () => REDACTED,
  });
  secrets.add(secret);
  return secret;
};

export const isSecret = (value: unknown): value is Secret =>
  typeof value === 'object' && value !== null && secrets.has(value);
