/** What this token may see, as `/access/permissions` tells: an empty list without the right to it proves nothing. */
import { z } from 'zod';
import { flag } from './answer-fields.ts';

/** By path: each privilege, with whether it holds for what lies below. */
export const permissionsSchema = z.record(z.string(), z.record(z.string(), flag).catch({}));

export interface Rights {
  /** Whether the privilege holds on exactly this path, by itself or by what is above it. */
  has(path: string, privilege: string): boolean;
  /** Whether it holds for everything below the path. */
  hasBelow(path: string, privilege: string): boolean;
}

const parentOf = (path: string): string => path.slice(0, Math.max(1, path.lastIndexOf('/')));

export const createRights = (permissions: z.infer<typeof permissionsSchema>): Rights => {
  const holds = (path: string, privilege: string): boolean => {
    for (let at = path; ; at = parentOf(at)) {
      const here = permissions[at];
      if (here !== undefined) {
        const propagates = here[privilege];
        // What is set on a path replaces what comes from above it.
        return propagates !== undefined && (at === path || propagates);
      }
      if (at === '/') return false;
    }
  };
  const hasBelow = (path: string, privilege: string): boolean => {
    for (let at = path; ; at = parentOf(at)) {
      const here = permissions[at];
      if (here !== undefined) return here[privilege] === true;
      if (at === '/') return false;
    }
  };
  return {
    has: holds,
    hasBelow: (path, privilege) =>
      hasBelow(path, privilege) &&
      Object.entries(permissions).every(([at, here]) => !isBelow(at, path) || here[privilege] !== undefined),
  };
};

const isBelow = (path: string, above: string): boolean =>
  path !== above && (above === '/' ? path.startsWith('/') : path.startsWith(`${above}/`));

/** Where it could not be read, everything is assumed to be permitted: refusals then speak for themselves. */
export const allRights: Rights = { has: () => true, hasBelow: () => true };

export interface Right {
  readonly path: string;
  readonly privilege: string;
}

export const describeRight = ({ path, privilege }: Right): string => `${privilege} on ${path}`;
