/** Secrets on their way into the environment of a command. */
import type { Secret } from '../../runtime/secret.ts';

export const revealAll = (secrets: Readonly<Record<string, Secret>>): Record<string, string> =>
  Object.fromEntries(Object.entries(secrets).map(([name, secret]) => [name, secret.reveal()]));
