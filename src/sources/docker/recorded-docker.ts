/** A recorded engine as a source, for scenarios. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { SourceId } from '../../../signals/resource.ts';
import type { Source, SourceDeps } from '../source.ts';
import { describeIssue } from './ask-engine.ts';
import type { DockerApi } from './docker-api.ts';
import { type DockerConfig, dockerConfigSchema } from './docker-config.ts';
import { createDockerSource } from './docker-source.ts';
import { type RecordedAnswers, recordedAnswersSchema } from './recorded-answer.ts';
import { createRecordedDockerApi } from './recorded-docker-api.ts';

/** The file of a recording's directory that holds its answers. */
export const ANSWERS_FILE = 'answers.json';

export interface RecordedDockerDeps extends SourceDeps {
  readonly id: SourceId;
  readonly directory: string;
  /** By the engine's clock; recorded times are moved on by what the replay's clock is ahead of it. */
  readonly recordedAtMs: number;
  readonly config?: DockerConfig;
}

const readAnswers = async (directory: string): Promise<RecordedAnswers> => {
  const path = join(directory, ANSWERS_FILE);
  const checked = recordedAnswersSchema.safeParse(JSON.parse(await readFile(path, 'utf8')));
  if (checked.success) return checked.data;
  throw new Error(`${path} is not written as a recording is: ${describeIssue(checked.error)}`);
};

/** Rejects, when it is first asked, on a file that is missing or not a recording. */
const openRecording = ({ directory, recordedAtMs, clock }: RecordedDockerDeps): DockerApi => {
  let opened: Promise<DockerApi> | null = null;
  const open = async (): Promise<DockerApi> =>
    createRecordedDockerApi({ answers: await readAnswers(directory), recordedAtMs, nowMs: () => clock.nowMs() });
  return {
    origin: 'recorded',
    get: async (path, query, signal) => {
      opened ??= open();
      return (await opened).get(path, query, signal);
    },
    pause: async (_ms, signal) => signal.throwIfAborted(),
    close: () => undefined,
  };
};

export const createRecordedDockerSource = (deps: RecordedDockerDeps): Source =>
  createDockerSource(
    deps.id,
    // A recording was made on another machine: its kernel says nothing about this one.
    { api: openRecording(deps), config: deps.config ?? dockerConfigSchema.parse({}), kernelRelease: null },
    deps,
  );
