/** What should have been read of a resource in this run and was not, and why. */
import type { Resource } from '../../signals/resource.ts';
import type { Ledger } from '../evidence/ledger.ts';
import { shownText } from './showing/shown-text.ts';

export interface Unseen {
  readonly resource: Resource;
  readonly kind: string;
  readonly code: string;
  readonly reason: string;
}

const NO_REASON = 'its source delivered none and gave no reason';
const REMEMBERED = 'not seen in this run: its source did not list it';

/** `kinds: null`: every kind that a source undertakes to deliver. */
export const unseenOf = (
  { world }: Pick<Ledger, 'world'>,
  resource: Resource,
  kinds: ReadonlySet<string> | null,
): readonly Unseen[] => {
  const read = new Set<string>(world.readingsOf(resource.id).map(({ kind }) => kind));
  const missing = resource.expects.filter((kind) => !read.has(kind) && (kinds === null || kinds.has(kind)));
  if (missing.length === 0) return [];
  const gaps = world.gapsOf(resource.id);
  return missing.map((kind) => {
    const gap = gaps.find(({ reads }) => reads.length === 0 || reads.some((each) => each === kind));
    if (gap !== undefined) return { resource, kind, code: gap.code, reason: shownText(gap.reason, 240) };
    return resource.presence === 'remembered'
      ? { resource, kind, code: 'not_seen', reason: REMEMBERED }
      : { resource, kind, code: 'no_reading', reason: NO_REASON };
  });
};
