/**
 * A recorded machine, to be played back: a directory with
 *
 * - `root/`: the files that are read, at their paths;
 * - `machine.json`: what a tree of plain files can't hold: links, empty directories, what may not be read, and the
 *   space of mounts ({@link machineSchema});
 * - `commands/*.json`: what commands printed, by their argv ({@link commandSchema}). One that is not there is not
 *   installed.
 *
 * All texts may hold the tokens of `recording-text.ts`.
 */
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { type ReplayTime, replayText } from './recording-text.ts';

export interface RecordingOptions {
  readonly directory: string;
  readonly recordedAtMs: number;
  /** The clock of the replay. */
  readonly nowMs: () => number;
}

const space = z.strictObject({
  sizeBytes: z.number(),
  freeBytes: z.number(),
  /** Default: what is free. */
  availableBytes: z.number().optional(),
  inodesTotal: z.number().default(0),
  inodesFree: z.number().default(0),
  /** `f_type` of statfs(2); default: what the type of the mount says. */
  magic: z.number().nullable().default(null),
  device: z.string().nullable().default(null),
});

export const machineSchema = z.strictObject({
  /** By path; targets as in the file system, relative or absolute within the root. */
  links: z.record(z.string(), z.string()).default({}),
  /** Directories without recorded files in them. */
  directories: z.array(z.string()).default([]),
  /** Files and directories that exist, and that this user may not read. */
  denied: z.array(z.string()).default([]),
  /** By mount point. `hangs`: it never answers. */
  space: z.record(z.string(), z.union([space, z.literal('hangs'), z.literal('denied')])).default({}),
});
export type RecordedMachine = z.infer<typeof machineSchema>;

const lines = z.union([
  z.string(),
  z.array(z.string()).transform((parts) => parts.map((line) => `${line}\n`).join('')),
]);

export const commandSchema = z.strictObject({
  /** `*` within an element stands for any text. */
  argv: z.array(z.string()).min(1),
  exitCode: z.number().int().default(0),
  /** A text, or its lines. */
  stdout: lines.default(''),
  /** A file beside this one that holds it. */
  stdoutFile: z.string().optional(),
  stderr: lines.default(''),
  /** Instead of an exit. */
  ends: z.enum(['not_permitted', 'timed_out', 'too_large', 'stuck', 'hangs']).optional(),
});
export type RecordedCommand = z.infer<typeof commandSchema>;

const replayTime = ({ recordedAtMs, nowMs }: RecordingOptions): ReplayTime => ({ recordedAtMs, nowMs: nowMs() });

const missingIsEmpty = (error: unknown): string => {
  if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return '{}';
  throw error;
};

/** Read again for each question, since its figures move; a recording that is wrong is thrown. */
export const readMachine = async (options: RecordingOptions): Promise<RecordedMachine> => {
  const text = await readFile(join(options.directory, 'machine.json'), 'utf8').catch(missingIsEmpty);
  return machineSchema.parse(JSON.parse(replayText(text, replayTime(options))));
};

export const readCommands = async (options: RecordingOptions): Promise<readonly RecordedCommand[]> => {
  const directory = join(options.directory, 'commands');
  const time = replayTime(options);
  const names = await readdir(directory).catch((): string[] => []);
  return Promise.all(
    names
      .filter((name) => name.endsWith('.json'))
      .sort()
      .map(async (name) => {
        const command = commandSchema.parse(
          JSON.parse(replayText(await readFile(join(directory, name), 'utf8'), time)),
        );
        if (command.stdoutFile === undefined) return command;
        const stdout = replayText(await readFile(join(directory, command.stdoutFile), 'utf8'), time);
        return { ...command, stdout };
      }),
  );
};

export const replayFile = (text: string, options: RecordingOptions): string => replayText(text, replayTime(options));
