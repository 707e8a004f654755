/** The one schema of `patrold.yaml`, composed of what sources and detectors export. Everything has a default. */
import { z } from 'zod';
import type { AnyDetector } from '../../signals/detector.ts';
import { alertsSchema } from './alerts.ts';
import { duration } from './duration.ts';
import { modelConfigSchema } from './model.ts';

/** Ids end up in resource ids and metric labels. */
const sourceId = z
  .string()
  .regex(/^[a-z0-9][a-z0-9._-]{0,62}$/, 'use lower-case letters, digits, dot, dash and underscore, 63 at most')
  .describe('your name for it; it becomes a part of resource ids and labels of metrics');

const patrol = z
  .strictObject({
    schedule: z
      .union([z.string().min(1), z.literal(false)])
      .default('0 */6 * * *')
      .describe('cron expression of full patrols; off for none'),
    watch: z
      .union([z.literal('off'), z.literal(false), duration({ atLeastMs: 60_000 })])
      .default(300_000)
      .describe('time between watches; off for none'),
    timeZone: z.string().min(1).optional().describe('IANA zone of the schedule; default: this machine’s'),
    quiet: z.enum(['look', 'skip']).default('look').describe('whether a model also looks when nothing stands out'),
    runTimeout: duration({ atLeastMs: 10_000 }).default(1_800_000).describe('a run that takes longer is cancelled'),
  })
  .prefault({});

const accept = z
  .array(
    z
      .strictObject({
        detector: z.string().optional().describe('its type, such as smart_failure'),
        resource: z.string().optional().describe('resource id; * stands for anything'),
        source: z.string().optional().describe('its id'),
        because: z.string().optional().describe('your note; shown beside the gap'),
      })
      .refine(
        (gap) => gap.detector !== undefined || gap.resource !== undefined || gap.source !== undefined,
        'name a detector, a resource or a source',
      ),
  )
  .default([])
  .describe('gaps in what can be seen that are known and accepted');

const autonomy = z
  .literal('monitor', { error: 'this version only observes: only `monitor` is supported' })
  .default('monitor')
  .describe('what patrold may do by itself');

const http = z
  .strictObject({
    listen: z
      .union([
        z.string().regex(/^(\[[0-9a-fA-F:]+\]|[^:]+):\d{1,5}$/, 'expected host:port'),
        z.literal('off'),
        z.literal(false),
      ])
      .default('127.0.0.1:7790')
      .describe('address and port that the daemon answers HTTP on; off for none'),
    metricsToken: z.boolean().default(false).describe('whether /metrics asks for a token on loopback too'),
  })
  .prefault({});

const data = z
  .strictObject({
    directory: z.string().min(1).optional().describe("default: systemd's state directory, else the user's"),
    keepResolvedDays: z
      .int()
      .min(1)
      .max(3650)
      .default(90)
      .describe('how long a resolved finding is kept, and a return is known as one'),
    keepRunsDays: z.int().min(1).max(3650).default(90).describe('how long runs and their reports are kept'),
  })
  .prefault({});

/** What the schema needs of a source's definition. */
export interface SourceSection {
  readonly type: string;
  readonly configSchema: z.ZodType;
}

const sourceEntry = (definition: SourceSection) => {
  const head = {
    id: sourceId,
    type: z.literal(definition.type),
    surveyTimeout: duration({ atLeastMs: 1000, atMostMs: 600_000 })
      .optional()
      .describe('how long one survey may take; what it has not read by then is unobserved'),
  };
  const own = definition.configSchema;
  if (!(own instanceof z.ZodObject)) throw new TypeError(`the config schema of source ${definition.type} is no object`);
  // Schemas with rules over several fields keep them.
  return own.safeExtend(head);
};

export interface ConfigParts {
  readonly sources: readonly SourceSection[];
  readonly checks: z.ZodType;
  readonly backups: z.ZodType;
  readonly detectors: readonly AnyDetector[];
}

/** One entry of `sources:`; what else is in it was checked by the schema of its type. */
export interface SourceEntry {
  readonly id: string;
  readonly type: string;
  readonly surveyTimeout?: number;
  readonly [option: string]: unknown;
}

const sourcesSchema = (sources: readonly SourceSection[]): z.ZodType<readonly SourceEntry[]> => {
  const [first, ...rest] = sources.map(sourceEntry);
  if (first === undefined) throw new TypeError('no source definitions');
  const error = `the types are ${sources.map(({ type }) => type).join(', ')}`;
  const entries = z.array(z.discriminatedUnion('type', [first, ...rest], { error }));
  const described = entries
    .prefault([{ id: 'this-host', type: 'host' }])
    .describe('what patrold reads; default: this machine');
  // The union's members are known only at run time; all of them extend this head.
  return described as unknown as z.ZodType<readonly SourceEntry[]>;
};

export const createConfigSchema = (parts: ConfigParts) => {
  return z.strictObject({
    patrol,
    sources: sourcesSchema(parts.sources),
    checks: parts.checks.optional().describe('what answers when it is well'),
    backups: parts.backups.optional().describe('backups that no other source knows'),
    tags: z
      .record(z.string(), z.array(z.string().min(1)))
      .default({})
      .describe('your own tags, by resource id'),
    sameAs: z
      .array(z.array(z.string().min(1)).min(2))
      .default([])
      .describe('resource ids that are one thing; the first stays'),
    accept,
    alerts: alertsSchema(parts.detectors),
    model: modelConfigSchema,
    autonomy,
    http,
    data,
    log: z
      .strictObject({
        level: z
          .enum(['silent', 'error', 'warn', 'info', 'debug'])
          .default('info')
          .describe('what the daemon logs, to stderr'),
      })
      .prefault({}),
  });
};

export type ConfigSchema = ReturnType<typeof createConfigSchema>;
export type Config = z.output<ConfigSchema>;
