/** What is read of the list of containers and of one container's inspection; lenient about everything else. */
import { z } from 'zod';

/** Hex alone, so that an id can be a part of a path, or a key of an object, without a second thought. */
const id = z.string().regex(/^[0-9a-f]{12,128}$/);
const labels = z.record(z.string().max(4_096), z.string()).nullish();

export const listedSchema = z.object({
  Id: id,
  Names: z.array(z.string().max(4_096)).max(1_000).nullish(),
  Image: z.string().max(4_096).nullish(),
  State: z.string().max(40),
  /** For people: `Exited (1) 3 hours ago`. */
  Status: z.string().max(1_000).nullish(),
  /** Epoch seconds. */
  Created: z.number().int().nonnegative(),
  Labels: labels,
});
export type Listed = z.infer<typeof listedSchema>;

const probe = z.object({
  Start: z.string().max(100),
  End: z.string().max(100),
  ExitCode: z.int(),
  /** The engine keeps 4,096 bytes of each (moby, daemon/health.go). */
  Output: z.string().nullish(),
});
export type HealthProbe = z.infer<typeof probe>;

export const healthSchema = z.object({
  Status: z.string().max(40).nullish(),
  FailingStreak: z.int().nonnegative(),
  Log: z.array(probe).max(100).nullish(),
});
export type Health = z.infer<typeof healthSchema>;

/**
 * `OOMKilled`, `ExitCode` and `RestartCount` have no default on purpose: an engine that leaves one out has not said
 * that nothing happened.
 */
export const inspectedSchema = z.object({
  Id: id,
  Created: z.string().max(100),
  RestartCount: z.int().nonnegative(),
  State: z.object({
    Status: z.string().max(40),
    OOMKilled: z.boolean(),
    ExitCode: z.int(),
    Error: z.string().nullish(),
    StartedAt: z.string().max(100).optional(),
    FinishedAt: z.string().max(100).optional(),
    Health: healthSchema.nullish(),
  }),
  HostConfig: z.object({
    RestartPolicy: z
      .object({ Name: z.string().max(40), MaximumRetryCount: z.int().nonnegative().optional() })
      .nullish(),
    /** Bytes; 0: none was set. */
    Memory: z.int().nonnegative().optional(),
    /** CPUs in units of 1e-9; 0: none was set. */
    NanoCpus: z.int().nonnegative().optional(),
    /** Microseconds in each period; 0 and -1: none was set. */
    CpuQuota: z.int().optional(),
    CpuPeriod: z.int().nonnegative().optional(),
    CpusetCpus: z.string().max(1_000).optional(),
  }),
  Config: z.object({ Healthcheck: z.object({ Retries: z.int().nonnegative().optional() }).nullish() }).nullish(),
});
export type Inspected = z.infer<typeof inspectedSchema>;
