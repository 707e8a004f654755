/** What a scenario says: recorded sources, steps in time, and what must and must not be found. Our own file, so strict. */
import { z } from 'zod';
import { DISMISSAL_REASONS } from '../../findings/finding.ts';
import { duration } from '../config/duration.ts';
import { RUN_STATUSES } from '../patrol/run-status.ts';

/** Labels and a value, as a Prometheus would answer an instant query. */
const sample = z.tuple([z.record(z.string(), z.string()), z.number()]);
/** Labels, and values by seconds before now. */
const track = z.tuple([z.record(z.string(), z.string()), z.array(z.tuple([z.number(), z.number()]))]);

const recorded = z
  .strictObject({
    /** Files of the recording by path: texts, written as they stand. */
    files: z.record(z.string(), z.string()).default({}),
    /** The same, from other files beside `scenario.yaml`. */
    copy: z.record(z.string(), z.string()).default({}),
    /** Texts in files of the recording, each there exactly once, and what stands there from now on. */
    edits: z.record(z.string(), z.array(z.tuple([z.string(), z.string()]))).default({}),
    remove: z.array(z.string()).default([]),
    /** Parts of `machine.json`, merged into what the recording has. */
    machine: z.record(z.string(), z.unknown()).default({}),
    /** Outputs of commands, by argv joined with blanks; replaces the one of the same argv. */
    commands: z.record(z.string(), z.unknown()).default({}),
    /** Containers by name: what differs from the base's templates. Null: it is not there any more. */
    containers: z.record(z.string(), z.record(z.string(), z.unknown()).nullable()).default({}),
    /** Other answers of a container engine, as `recorded-answer.ts` has them; replaces the same question's. */
    answers: z.array(z.record(z.string(), z.unknown())).default([]),
    /** Answers to named queries. */
    vectors: z.record(z.string(), z.array(sample)).default({}),
    matrices: z.record(z.string(), z.array(track)).default({}),
    /** The source does not answer, for this reason. Null: it answers again. */
    fails: z.string().nullable().optional(),
  })
  .prefault({});

const source = z.strictObject({
  type: z.enum(['host', 'docker', 'prometheus', 'commands']),
  /** A directory of `scenarios/base/`. */
  base: z.string().optional(),
});

/** `<resource id> <key>`, for verbs. */
const target = z.string().regex(/^\S+ \S.*$/);

const verb = z.union([
  z.strictObject({ acknowledge: target }),
  z.strictObject({ snooze: target, for: duration() }),
  z.strictObject({ dismiss: target, reason: z.enum(DISMISSAL_REASONS) }),
  z.strictObject({ resolve: target }),
  z.strictObject({ suppress: target }),
]);

const step = z.strictObject({
  note: z.string().optional(),
  /** How far the clock has moved since the step before. */
  after: duration().prefault('0s'),
  /** A watch instead of a patrol. */
  watch: z.boolean().default(false),
  /** Changes of the recordings, by source; they hold until changed again. */
  sees: z.record(z.string(), recorded).default({}),
  /** Done by an operator before the run. */
  does: z.array(verb).default([]),
  /** Changes of the config from here on, by top-level section. */
  config: z.record(z.string(), z.unknown()).default({}),
  /**
   * Every active finding after the run, no more and no less: `<severity> <resource id> <key>`, and in brackets what else
   * holds: `[acknowledged]`, `[stale]`, `[episode 2]`. Left out: nothing is compared.
   */
  finds: z.array(z.string()).optional(),
  /** Checks that can't be made: `<resource id> <detector>`. */
  unseen: z.array(z.string()).default([]),
  status: z.enum(RUN_STATUSES).optional(),
});

export const scenarioSchema = z.strictObject({
  title: z.string().min(10),
  /** What happens, for people. */
  story: z.string().min(20),
  /** Which rule, catalogue line or field case it stands for. */
  shows: z.array(z.string()).min(1),
  now: z.iso.datetime({ offset: true }).default('2026-03-02T12:00:00Z'),
  /** `patrold.yaml` without its sources. */
  config: z.record(z.string(), z.unknown()).default({}),
  sources: z.record(z.string(), source),
  steps: z.array(step).min(1),
});

export type Scenario = z.output<typeof scenarioSchema>;
export type ScenarioStep = Scenario['steps'][number];
export type Recorded = ScenarioStep['sees'][string];
