/** What every collector of one survey is given. */
import type { Clock } from '../../runtime/clock.ts';
import type { Logger } from '../../runtime/logger.ts';
import type { SourceState, SurveyRequest } from '../source.ts';
import type { BlockDisk } from './block-disks.ts';
import type { Trouble } from './command-trouble.ts';
import type { Commands } from './commands.ts';
import type { HostConfig } from './config.ts';
import type { Environment } from './environment.ts';
import type { Hwmon } from './hwmon.ts';
import type { Part } from './part.ts';
import type { ProcStat } from './proc-stat.ts';
import type { RootReader } from './root-reader.ts';
import type { ZfsDatasets } from './zfs-datasets.ts';

/** The host's own handle within a survey. */
export const HOST_REF = 'host';

export interface HostContext {
  readonly config: HostConfig;
  readonly reader: RootReader;
  readonly commands: Commands;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly state: SourceState;
  readonly request: SurveyRequest;
  /** When the survey began. */
  readonly nowMs: number;
  readonly environment: Environment;
  /** As read at the beginning of the survey. */
  readonly procStat: ProcStat;
  /** Since the kernel (or the container) started; it does not jump with the clock. */
  readonly uptimeMs: number;
  /** Changes with every boot of the kernel; empty where it can't be read. */
  readonly bootId: string;
  readonly disks: readonly BlockDisk[];
  /** Why these may not be all; null: they are. */
  readonly disksTrouble: Trouble | null;
  readonly hwmons: readonly Hwmon[];
  /** Asked once a survey, however many want to know. */
  zfsDatasets(): Promise<ZfsDatasets | Trouble>;
}

/** Reads one thing of the machine. It does not throw for what it finds there: that is a gap. */
export type Collector = (host: HostContext) => Promise<Part>;
