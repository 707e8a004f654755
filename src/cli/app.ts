/** What commands are given: the composition root makes it, tests make their own. */
import type { FindingStore } from '../../findings/store.ts';
import type { TranscriptStore } from '../agent/transcript-store.ts';
import type { LoadedConfig } from '../config/load.ts';
import type { InventoryStore } from '../evidence/inventory-store.ts';
import type { ModelCheck } from '../model/check/check-model.ts';
import type { CheckResult } from '../model/check/check-result.ts';
import type { SpendingStore } from '../model/spending-store.ts';
import type { RunEvent } from '../patrol/events.ts';
import type { RunQueue } from '../patrol/queue.ts';
import type { RunReport } from '../patrol/report.ts';
import type { RunKind } from '../patrol/run-record.ts';
import type { RunStore } from '../patrol/run-store.ts';
import type { Scope } from '../patrol/scope.ts';
import type { PatrolSettings } from '../patrol/settings.ts';
import type { Clock } from '../runtime/clock.ts';
import type { ExitCode } from './exit-code.ts';
import type { Terminal } from './terminal.ts';

/** Flags that every command takes. */
export interface GlobalFlags {
  readonly config?: string;
  readonly data?: string;
  readonly listen?: string;
  readonly logLevel?: string;
  readonly color?: boolean;
}

export interface RunOnce {
  readonly kind: RunKind;
  readonly scope: Scope | null;
  readonly onEvent: (event: RunEvent) => void;
  readonly signal: AbortSignal;
}

export interface RunOutcome {
  readonly report: RunReport;
  /** Why nothing of it could be kept; null: it was. */
  readonly notKept: string | null;
  /** It was executed by a daemon that was running already. */
  readonly byDaemon: boolean;
}

export interface TokenView {
  readonly id: string;
  readonly name: string;
  readonly scopes: readonly string[];
  readonly createdAtMs: number;
  readonly lastUsedAtMs: number | null;
  readonly revokedAtMs: number | null;
}

export interface Tokens {
  create(name: string, scopes: readonly string[]): { readonly id: string; readonly secret: string };
  list(): readonly TokenView[];
  revoke(id: string): boolean;
}

export interface Stores {
  readonly findings: FindingStore;
  readonly inventory: InventoryStore;
  readonly runs: RunStore;
  readonly queue: RunQueue;
  readonly transcripts: TranscriptStore;
  readonly spending: SpendingStore;
  readonly tokens: Tokens;
  readonly path: string;
  backUpTo(target: string): void;
}

export interface App {
  readonly terminal: Terminal;
  readonly clock: Clock;
  /** Who acts: the user's name, for the history of findings. */
  readonly user: string;
  /** Throws `config_invalid`, whose message lists every problem. */
  config(): LoadedConfig;
  /** Everything the config says about a run; makes sources, opens nothing. */
  settings(): PatrolSettings;
  /** Opens the database on first use. */
  stores(): Stores;
  /** Null: no model is configured. */
  checkModel(onResult: (result: CheckResult) => void): Promise<ModelCheck | null>;
  runOnce(request: RunOnce): Promise<RunOutcome>;
  /** `showFirstRun`: a patrol first, its progress and findings on the terminal, then the daemon. */
  serve(options: { readonly showFirstRun: boolean }): Promise<ExitCode>;
  /** Aborts when the user asks to stop. */
  readonly interrupted: AbortSignal;
}
