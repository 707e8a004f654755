/** Logs of what is in the inventory, asked of the sources that saw it, and read once a run. */
import type { Resource, ResourceId, SourceId } from '../../signals/resource.ts';
import type { Ledger } from '../evidence/ledger.ts';
import type { LogAnswer } from '../sources/log.ts';
import type { Source } from '../sources/source.ts';

export type DeskAnswer =
  | (Extract<LogAnswer, { readonly ok: true }> & { readonly sourceId: SourceId })
  | Extract<LogAnswer, { readonly ok: false }>;

export interface LogDesk {
  read(resource: Resource, signal: AbortSignal): Promise<DeskAnswer>;
}

export interface LogDeskDeps {
  readonly ledger: Pick<Ledger, 'handlesOf'>;
  readonly sources: readonly Pick<Source, 'id' | 'readLog'>[];
  readonly nowMs: number;
}

const NOBODY: DeskAnswer = {
  ok: false,
  code: 'not_supported',
  reason:
    'no source reads a log of it: there are journals of units and machines (host) and logs of containers (docker)',
};

const failed = (error: unknown): Extract<LogAnswer, { readonly ok: false }> => ({
  ok: false,
  code: 'failed',
  reason: error instanceof Error ? error.message : String(error),
});

export const createLogDesk = ({ ledger, sources, nowMs }: LogDeskDeps): LogDesk => {
  const byId = new Map(sources.map((source) => [source.id, source]));
  const asked = new Map<ResourceId, DeskAnswer>();

  const ask = async ({ id, kind }: Resource, signal: AbortSignal): Promise<DeskAnswer> => {
    let last: DeskAnswer = NOBODY;
    for (const { sourceId, ref } of ledger.handlesOf(id)) {
      const readLog = byId.get(sourceId)?.readLog;
      if (readLog === undefined) continue;
      const answer = await readLog({ ref, kind, untilMs: nowMs, signal }).catch(failed);
      if (answer.ok) return { ...answer, sourceId };
      last = answer;
    }
    return last;
  };

  return {
    read: async (resource, signal) => {
      const known = asked.get(resource.id);
      if (known !== undefined) return known;
      const answer = await ask(resource, signal);
      // What failed may work when it is asked again; what was read stays as it was read.
      if (answer.ok) asked.set(resource.id, answer);
      return answer;
    },
  };
};
