/**
 * A recorded machine, to be played back: a directory with
 *
 * - `root/`: the files that are read, at their paths;
 * - `machine.json`: what a tree of plain files can't hold: links, empty directories, what may not be read, and the
 *   space of mounts ({@link machineSchema});
 * - `commands/*.command.json`: what commands printed, by their argv ({@link commandSchema}). One that is not there is not
 *   installed.
 *
 * All texts may hold the tokens of `recording-text.ts`.
 */
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { replayText } from './recording-text.ts';

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

/** A recorded machine whose files were read once; its figures are those of the moment when they are asked for. */
export interface Recording {
  readonly directory: string;
  machine(): Promise<RecordedMachine>;
  commands(): Promise<readonly RecordedCommand[]>;
  replay(text: string): string;
}

/** A recording that is wrong is thrown: it is ours. */
export const openRecording = ({ directory, recordedAtMs, nowMs }: RecordingOptions): Recording => {
  const replay = (text: string): string => replayText(text, { recordedAtMs, nowMs: nowMs() });
  const machineText = once(() => readFile(join(directory, 'machine.json'), 'utf8').catch(missingIsEmpty));
  const commandFiles = once(() => readCommandFiles(join(directory, 'commands')));
  const parsedMachine = latest((text) => machineSchema.parse(JSON.parse(text)));
  return {
    directory,
    replay,
    machine: async () => parsedMachine(replay(await machineText())),
    commands: async () => (await commandFiles()).map((file) => toCommand(file, replay)),
  };
};

const once = <T>(read: () => Promise<T>): (() => Promise<T>) => {
  let reading: Promise<T> | null = null;
  return () => {
    reading ??= read();
    return reading;
  };
};

/** Remembers the last result: most texts have no figures that move. */
const latest = <T>(parse: (text: string) => T): ((text: string) => T) => {
  let known: { readonly text: string; readonly value: T } | null = null;
  return (text) => {
    if (known?.text !== text) known = { text, value: parse(text) };
    return known.value;
  };
};

const missingIsEmpty = (error: unknown): string => {
  if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return '{}';
  throw error;
};

interface CommandFile {
  readonly text: string;
  readonly stdout: string | null;
}

const readCommandFiles = async (directory: string): Promise<readonly CommandFile[]> => {
  const names = (await readdir(directory).catch((): string[] => [])).filter((name) => name.endsWith('.command.json'));
  return Promise.all(
    names.sort().map(async (name) => {
      const text = await readFile(join(directory, name), 'utf8');
      const [, file] = /"stdoutFile": "([\w.-]+)"/.exec(text) ?? [];
      return { text, stdout: file === undefined ? null : await readFile(join(directory, file), 'utf8') };
    }),
  );
};

const toCommand = ({ text, stdout }: CommandFile, replay: (text: string) => string): RecordedCommand => {
  const command = commandSchema.parse(JSON.parse(replay(text)));
  return stdout === null ? command : { ...command, stdout: replay(stdout) };
};
