/** What the state of a ZFS pool, and its data errors, say. */
import { clear, type Judgement, type Severity, unobserved } from '../detector.ts';
import type { ReadingOf, ZfsMember } from '../reading.ts';

/** Members that are named in a summary. */
const NAMED = 4;

const WELL: ReadonlySet<ZfsMember['state']> = new Set(['ONLINE', 'AVAIL', 'INUSE']);

const membersText = (members: readonly ZfsMember[]): readonly string[] => {
  const bad = members.filter(({ state }) => !WELL.has(state));
  if (bad.length === 0) return [];
  const more = bad.length > NAMED ? [`${bad.length - NAMED} more`] : [];
  return [[...bad.slice(0, NAMED).map(({ name, state }) => `${name} is ${state}`), ...more].join(', ')];
};

const scanText = ({ scan }: ReadingOf<'zfs_pool'>): readonly string[] =>
  scan?.state === 'running' ? [`a ${scan.kind} is running`] : [];

const stateSeverity = ({ state, redundancyLeft }: ReadingOf<'zfs_pool'>): Severity | null => {
  if (state === 'ONLINE') return null;
  if (state === 'DEGRADED') return redundancyLeft === false ? 'critical' : 'warning';
  return 'critical';
};

const redundancyText = ({ state, redundancyLeft }: ReadingOf<'zfs_pool'>): readonly string[] => {
  if (state !== 'DEGRADED') return [];
  if (redundancyLeft === null) return ['whether redundancy is left can not be told'];
  return [redundancyLeft ? 'redundancy is left' : 'no redundancy is left: the next failure loses data'];
};

export const judgePoolState = (reading: ReadingOf<'zfs_pool'>): Judgement => {
  const { state, dataErrors } = reading;
  const byState = stateSeverity(reading);
  const hasDataErrors = dataErrors !== null && dataErrors > 0;
  if (byState === null && !hasDataErrors) {
    return dataErrors === null
      ? unobserved('not_supported', 'the source tells the state of the pool, but not its data errors')
      : clear();
  }
  const sentence = [
    `pool is ${state}`,
    ...redundancyText(reading),
    ...(hasDataErrors ? [`${dataErrors} data ${dataErrors === 1 ? 'error' : 'errors'}: files are damaged`] : []),
    ...membersText(reading.members),
    ...scanText(reading),
  ];
  return {
    state: 'raised',
    subject: null,
    severity: hasDataErrors ? 'critical' : (byState ?? 'warning'),
    level: null,
    summary: sentence.join('; '),
    clearsWhen: 'the pool is ONLINE without data errors',
    evidence: [reading.id],
  };
};
