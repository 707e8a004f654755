/** Parsers of option values, whose complaints say what would be right. */
import { InvalidArgumentError } from 'commander';
import { parseDuration } from '../config/duration.ts';

export const positiveInteger = (text: string): number => {
  const value = Number(text);
  if (!Number.isSafeInteger(value) || value < 1) throw new InvalidArgumentError('expected a whole number from 1');
  return value;
};

/** Milliseconds. */
export const durationOption = (text: string): number => {
  const ms = parseDuration(text);
  if (ms === null) throw new InvalidArgumentError('expected a duration such as 90s, 5m, 24h or 7d');
  return ms;
};

/** One of a closed set. */
export const oneOf =
  <T extends string>(values: readonly T[]) =>
  (text: string): T => {
    const found = values.find((value) => value === text);
    if (found === undefined) throw new InvalidArgumentError(`expected one of ${values.join(', ')}`);
    return found;
  };
