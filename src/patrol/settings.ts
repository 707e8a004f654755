/** What a run needs of the config, made once per (re)load, so that a reload never changes a run under way. */
import type { AnyDetector, Verdict } from '../../signals/detector.ts';
import type { LimitResolver } from '../../signals/limits.ts';
import type { SourceId } from '../../signals/resource.ts';
import type { ModelSettings } from '../model/model-settings.ts';
import type { Source } from '../sources/source.ts';

/** A source with what the config says about reading it. */
export interface ConfiguredSource {
  readonly source: Source;
  readonly timeoutMs: number;
  readonly keepsHistory: boolean;
}

export interface PatrolSettings {
  /** In the config's order. */
  readonly sources: readonly ConfiguredSource[];
  readonly detectors: readonly AnyDetector[];
  readonly limits: LimitResolver;
  readonly sameAs: readonly (readonly string[])[];
  readonly tags: Readonly<Record<string, readonly string[]>>;
  readonly isAccepted: (verdict: Verdict, sourcesOf: (resourceId: string) => readonly SourceId[]) => boolean;
  /** Longest averaging windows that the limits ask for, by use metric, ascending. */
  readonly windowsMs: {
    readonly cpu: readonly number[];
    readonly memory: readonly number[];
    readonly temperature: readonly number[];
  };
  /** Null: none is configured, which is a choice. */
  readonly model: ModelSettings | null;
  /** Whether a model also looks when nothing stands out. */
  readonly quiet: 'look' | 'skip';
  readonly runTimeoutMs: number;
  readonly keepResolvedMs: number;
  readonly keepRunsMs: number;
}
