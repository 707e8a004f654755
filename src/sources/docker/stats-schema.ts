/** What is read of `/containers/{id}/stats`; lenient about everything else. */
import { z } from 'zod';

const bytes = z.number().nonnegative();

export const statsSchema = z.object({
  /** When the engine read it; year 1 for a container that does not run. */
  read: z.string().max(100),
  cpu_stats: z.object({
    cpu_usage: z.object({
      /** Nanoseconds since the container was started. */
      total_usage: z.number().nonnegative(),
    }),
  }),
  /** Empty where the memory controller is not delegated, as with rootless engines. */
  memory_stats: z
    .object({
      usage: bytes.optional(),
      limit: bytes.optional(),
      /** Counters of the kernel's memory.stat; Podman leaves them out. */
      stats: z.object({ total_inactive_file: bytes.optional(), inactive_file: bytes.optional() }).nullish(),
    })
    .nullish(),
});
export type Stats = z.infer<typeof statsSchema>;
