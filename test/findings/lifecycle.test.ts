/** What holds for a finding whatever happens to it, in whatever order. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Finding } from '../../findings/finding.ts';
import type { Step } from '../../findings/step.ts';
import { transition } from '../../findings/transition.ts';
import { type Happening, happenings } from '../support/finding-events.ts';
import { findingOf, kindsOf, NOW_MS } from '../support/findings.ts';

interface Seen extends Happening {
  readonly before: Finding;
  readonly step: Step;
}

/** Plays the events; refused ones must change nothing and are left out. */
const play = (events: readonly Happening[], start = findingOf()): readonly Seen[] => {
  let finding = start;
  return events.flatMap(({ event, nowMs }) => {
    const before = finding;
    const outcome = transition(before, event, nowMs);
    if (!outcome.ok) return [];
    finding = outcome.finding;
    return [{ event, nowMs, before, step: outcome }];
  });
};

const always = (holds: (seen: Seen) => boolean): void => {
  fc.assert(
    fc.property(happenings(NOW_MS), (events) => {
      for (const seen of play(events)) if (!holds(seen)) throw new Error(JSON.stringify(seen, null, 1));
    }),
    { numRuns: 400 },
  );
};

test('the same events give the same finding and the same history', () => {
  fc.assert(
    fc.property(happenings(NOW_MS), (events) => {
      expect(play(events)).toEqual(play(events));
    }),
    { numRuns: 50 },
  );
});

test('it is resolved exactly while it has a resolution, and only by clear, gone, a second absence, a model of its own, or a person', () => {
  always(({ event, before, step: { finding, entries } }) => {
    const over = before.state === 'active' && finding.state === 'resolved';
    const ended = kindsOf(entries).filter((kind) => kind === 'cleared' || kind === 'gone' || kind === 'resolved');
    const mayEnd =
      event.kind === 'cleared' ||
      event.kind === 'gone' ||
      event.kind === 'resolve' ||
      (event.kind === 'absent' && before.absence?.looks === 1);
    return (
      (finding.state === 'resolved') === (finding.resolution !== null) &&
      over === (ended.length === 1) &&
      (!over || mayEnd)
    );
  });
});

test('no decision of a person goes without a row that says so', () => {
  always(({ before, step: { finding, entries } }) => {
    if (before.disposition.kind === 'none' || finding.disposition === before.disposition) return true;
    const telling = [
      'unacknowledged',
      'unsnoozed',
      'undismissed',
      'unsuppressed',
      'snooze_expired',
      'reminder',
      'suppressed',
      'acknowledged',
      'snoozed',
      'dismissed',
    ];
    return entries.some(({ kind, data }) => telling.includes(kind) || data['ended'] === before.disposition.kind);
  });
});

test('after a signal it is active, as severe as the signal, and neither stale nor absent', () => {
  always(({ event, step: { finding } }) => {
    if (event.kind !== 'seen' || event.filing.origin !== 'signal') return true;
    return (
      finding.state === 'active' &&
      finding.severity === event.filing.severity &&
      finding.stale === null &&
      finding.absence === null
    );
  });
});

test('once a detector has shown it, only a detector changes its severity, and a decision about it hides nothing that is worse', () => {
  always(({ event, before, step: { finding } }) => {
    if (finding.severity !== before.severity && before.state === 'active' && before.lastSignalAtMs !== null) {
      return event.kind === 'seen' && event.filing.origin === 'signal';
    }
    return true;
  });
});

test('episodes are counted one by one, with a row each; attempts begin anew; what is past stays past', () => {
  always(({ before, step: { finding, entries } }) => {
    const returned = kindsOf(entries).includes('regressed');
    const counted =
      finding.episode === before.episode + (returned ? 1 : 0) &&
      finding.regressions === before.regressions + (returned ? 1 : 0);
    const fresh = !returned || (finding.investigation.attempts === 0 && before.state === 'resolved');
    return (
      counted &&
      fresh &&
      finding.firstSeenAtMs === before.firstSeenAtMs &&
      finding.lastSeenAtMs >= before.lastSeenAtMs &&
      finding.id === before.id
    );
  });
});

test('a change that history should tell of has a row, and a row is of the episode and the instant', () => {
  always(({ nowMs, before, step: { finding, entries } }) => {
    const told =
      finding.state === before.state &&
      finding.severity === before.severity &&
      finding.disposition === before.disposition &&
      (finding.stale === null) === (before.stale === null) &&
      finding.foldedUnder === before.foldedUnder &&
      finding.investigation === before.investigation;
    return (
      (told || entries.length > 0) &&
      entries.every(({ atMs, episode }) => atMs === nowMs && episode === finding.episode)
    );
  });
});

test('looks that change nothing write nothing', () => {
  fc.assert(
    fc.property(happenings(NOW_MS), fc.integer({ min: 1, max: 50 }), (events, looks) => {
      const last = play(events).findLast(({ event }) => event.kind === 'seen' && event.filing.origin === 'signal');
      if (last === undefined) return;
      let { finding } = last.step;
      for (let look = 0; look < looks; look += 1) {
        const again = transition(finding, last.event, last.nowMs + look);
        if (!again.ok) throw new Error(again.reason);
        expect(again.entries).toEqual([]);
        finding = again.finding;
      }
    }),
    { numRuns: 200 },
  );
});
