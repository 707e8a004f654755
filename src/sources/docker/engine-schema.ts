/** What is read of `/version` and `/info`; lenient about everything else. */
import { z } from 'zod';

export const versionSchema = z.object({
  Version: z.string().max(200).optional(),
  ApiVersion: z.string().max(40),
  MinAPIVersion: z.string().max(40).optional(),
  Components: z
    .array(z.object({ Name: z.string().max(200) }))
    .max(100)
    .nullish(),
});

export const infoSchema = z.object({
  ID: z.string().max(200).optional(),
  Name: z.string().max(1_000).optional(),
  NCPU: z.int().positive().max(100_000).optional(),
  MemTotal: z.int().positive().optional(),
  SystemTime: z.string().max(100).optional(),
  OSType: z.string().max(100).optional(),
  OperatingSystem: z.string().max(1_000).optional(),
  KernelVersion: z.string().max(1_000).optional(),
  CgroupVersion: z.string().max(40).optional(),
});

export type EngineVersion = z.infer<typeof versionSchema>;
export type EngineInfo = z.infer<typeof infoSchema>;
