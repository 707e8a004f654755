/** What may be cited in one run: the ledger's readings, and what tools looked up beyond them. */
import { createHash } from 'node:crypto';
import type { ResourceId, SourceId } from '../../signals/resource.ts';
import type { Ledger } from '../evidence/ledger.ts';

/** Something that a finding can stand on. */
export interface Citable {
  readonly id: string;
  readonly resourceId: ResourceId;
  readonly sourceId: SourceId;
  readonly kind: string;
  readonly takenAtMs: number;
}

/** A look beyond the ledger, such as lines of a log, with whatever it showed. */
export const isLook = (kind: string): boolean => kind === 'log' || kind === 'series';

export interface Look extends Omit<Citable, 'id'> {
  readonly kind: 'log' | 'series';
  readonly shows: unknown;
}

export interface EvidenceBook {
  get(id: string): Citable | null;
  /** An id for what was looked up; null: there are too many. */
  note(look: Look): string | null;
}

/** Looks of one run; a loop of 40 turns with 4 calls each makes no more than 160. */
export const MAX_LOOKS = 1_000;
const ID_DIGITS = 8;

/** Ids follow from what was seen, not from when: calls that run beside each other get the same ones in any order. */
const idOf = (look: Look): string =>
  `x${createHash('sha256').update(JSON.stringify(look)).digest('hex').slice(0, ID_DIGITS)}`;

export const createEvidenceBook = ({ reading }: Pick<Ledger, 'reading'>): EvidenceBook => {
  const looks = new Map<string, Citable>();
  return {
    get: (id) => reading(id) ?? looks.get(id) ?? null,
    note: (look) => {
      const id = idOf(look);
      if (looks.has(id)) return id;
      if (looks.size >= MAX_LOOKS) return null;
      looks.set(id, { id, ...look });
      return id;
    },
  };
};
