/** A recorded machine on which something is wrong, surveyed as the daemon does and judged by every detector. */
import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { hostConfigSchema } from '../../src/sources/host/config.ts';
import { createRecordedHostSource } from '../../src/sources/host/recorded-host.ts';
import { createFakeClock } from './fake-clock.ts';
import { createJudge } from './judge-sighting.ts';
import { createMemoryState } from './memory-state.ts';
import { machineDirectory, RECORDED_AT_MS, whileTimePasses } from './recorded-machine.ts';
import { sourceDeps, surveyRequest } from './source-deps.ts';
import { temporaryDirectory } from './temporary-directory.ts';

export type Edits = Readonly<Record<string, (text: string) => string>>;

export interface SickMachine {
  /** Changes recorded files from the next survey on; an edit that changes nothing is a mistake of the test. */
  edit(edits: Edits): void;
  /** A survey after five minutes: what was said of the things whose names begin with `of`. */
  watch(of: string, paces?: readonly ('fast' | 'hourly')[]): Promise<Readonly<Record<string, string>>>;
}

const WATCH_MS = 300_000;

export const sickMachine = (name: string, edits: Edits = {}): SickMachine => {
  const directory = temporaryDirectory();
  cpSync(machineDirectory(name), directory, { recursive: true });
  const clock = createFakeClock(RECORDED_AT_MS);
  const state = createMemoryState();
  const source = createRecordedHostSource({
    ...sourceDeps({ clock, state }),
    id: 'this-host',
    directory,
    recordedAtMs: RECORDED_AT_MS,
    config: hostConfigSchema.parse({}),
  });
  const judge = createJudge();
  let lastSurveyAtMs: number | null = null;
  const edit = (changes: Edits): void => {
    for (const [path, change] of Object.entries(changes)) {
      const file = join(directory, path);
      const before = readFileSync(file, 'utf8');
      const after = change(before);
      if (after === before) throw new Error(`nothing to change in ${path}`);
      writeFileSync(file, after);
    }
  };
  edit(edits);
  return {
    edit,
    watch: async (of, paces = ['fast', 'hourly']) => {
      if (lastSurveyAtMs !== null) await clock.advance(WATCH_MS);
      const sighting = await whileTimePasses(clock, source.survey(surveyRequest({ lastSurveyAtMs, paces })));
      const { states } = judge.judge(sighting, clock.nowMs(), lastSurveyAtMs);
      lastSurveyAtMs = clock.nowMs();
      return Object.fromEntries(Object.entries(states).filter(([subject]) => subject.startsWith(of)));
    },
  };
};
