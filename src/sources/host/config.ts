/** The options of a `host` source in the config. */
import { z } from 'zod';
import { duration } from '../../config/duration.ts';

const GLOBS = 64;
const GLOB_CHARACTERS = 256;
const globs = z.array(z.string().min(1).max(GLOB_CHARACTERS)).max(GLOBS);

export const hostConfigSchema = z.strictObject({
  root: z
    .string()
    .regex(/^\/(?:[^/\0]+(?:\/[^/\0]+)*)?$/, 'an absolute path without a slash at its end')
    .default('/')
    .describe("Where the watched machine's root is mounted: `/`, or for example `/host` in a container."),
  commandTimeout: duration({ atLeastMs: 1_000, atMostMs: 120_000 })
    .default(20_000)
    .describe('How long one command (`smartctl`, `zpool`, `systemctl`) may take.'),
  ignoreFilesystems: globs
    .default([])
    .describe('Globs over mount points that are not watched, such as `/mnt/scratch` or `/media/**`.'),
  ignoreDisks: globs
    .default([])
    .describe('Globs over device names, or over models and serials, of disks that are not watched: `sdx`, `*Flash*`.'),
  raidDisks: z
    .array(z.strictObject({ device: z.string().regex(/^\/dev\/[\w./-]+$/), type: z.string().regex(/^[\w+,/-]+$/) }))
    .max(256)
    .default([])
    .describe(
      'Disks behind a controller that `smartctl --scan` does not list, as smartctl wants them named: `{ device: /dev/twa0, type: "3ware,0" }`.',
    ),
});

export type HostConfig = z.infer<typeof hostConfigSchema>;
