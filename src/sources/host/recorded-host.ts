/** A recorded machine as a source, for scenarios. */
import type { SourceId } from '../../../signals/resource.ts';
import type { Source, SourceDeps } from '../source.ts';
import { type HostConfig, hostConfigSchema } from './config.ts';
import { createHostSource } from './host-source.ts';
import { createRecordedCommandRunner } from './recorded-command-runner.ts';
import { createRecordedRootReader } from './recorded-root-reader.ts';
import { openRecording } from './recording.ts';

export interface RecordedHostDeps extends SourceDeps {
  readonly id: SourceId;
  /** See `recording.ts`. */
  readonly directory: string;
  readonly recordedAtMs: number;
  readonly config?: HostConfig;
}

/** Its clock's `sleep` has to end by itself: the first survey takes two looks at the CPU, a second apart. */
export const createRecordedHostSource = (deps: RecordedHostDeps): Source => {
  const config = deps.config ?? hostConfigSchema.parse({});
  const { directory, recordedAtMs, clock } = deps;
  const recording = openRecording({ directory, recordedAtMs, nowMs: () => clock.nowMs() });
  return createHostSource({
    ...deps,
    config,
    reader: createRecordedRootReader(recording, config.root),
    runner: createRecordedCommandRunner(recording),
  });
};
