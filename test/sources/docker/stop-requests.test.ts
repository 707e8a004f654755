import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { EngineEvent } from '../../../src/sources/docker/event-schema.ts';
import {
  afterMissedEvents,
  foldStopRequests,
  requestedAtMs,
  type StopRequests,
} from '../../../src/sources/docker/stop-requests.ts';

const ID = 'c1';
const KEEP = new Set([ID]);

/** `kill15@10`: the action, its signal, and the second. */
const events = (...script: readonly string[]): EngineEvent[] =>
  script.map((step) => {
    const [, action = '', signal = '', second = ''] = /^([a-z_]+)(\d*)@(\d+)$/.exec(step) ?? [];
    return {
      type: 'container',
      action,
      id: ID,
      atMs: Number(second) * 1_000,
      signal: signal === '' ? null : Number(signal),
    };
  });

const requestAfter = (script: readonly string[], nowSecond = 10_000): number | null => {
  const ms = requestedAtMs(foldStopRequests({}, events(...script), KEEP)[ID], nowSecond * 1_000);
  return ms === null ? null : ms / 1_000;
};

describe('foldStopRequests', () => {
  it.each([
    ['docker stop', ['start@1', 'kill15@10', 'die@11', 'stop@11'], 10],
    ['docker stop that had to kill', ['kill15@10', 'kill9@20', 'die@20', 'stop@20'], 10],
    ['docker kill', ['kill9@10', 'die@10'], 10],
    ['docker kill, of which the end was logged first', ['die@10', 'kill9@11'], 10],
    ['docker stop, of which the end was logged first', ['start@1', 'die@10', 'kill15@11', 'stop@11'], 10],
    ['a stop of Podman, which tells no signal', ['kill@10', 'die@10'], 10],
    ['a stop whose beginning was forgotten', ['die@10', 'stop@11'], 11],
    ['a stop by a signal of the image, as of httpd', ['kill28@10', 'die@11', 'stop@11'], 11],
    ['a stop with a grace of an hour', ['kill15@10', 'die@3000', 'stop@3000'], 3000],
    [
      'a stop of a container that waited for its restart',
      ['kill15@1', 'die@2', 'stop@2', 'start@5', 'die@6', 'stop@9'],
      9,
    ],
  ])('knows %s', (_what, script, second) => {
    expect(requestAfter(script)).toBe(second);
  });

  it.each([
    ['a crash', ['start@1', 'die@10']],
    ['a reload by signal', ['kill1@10']],
    ['a signal to itself that it handles, and a crash long after', ['kill15@10', 'die@2000']],
    ['an engine that restarted, of which no event is left', ['start@1']],
    ['a kill of what was started again', ['die@10', 'start@11', 'kill1@12']],
    ['a probe that failed', ['exec_die@10', 'health_status@10']],
  ])('takes %s for no request', (_what, script) => {
    expect(requestAfter(script)).toBeNull();
  });

  it('keeps an earlier stop apart from a later crash: the request stays dated before the start', () => {
    expect(requestAfter(['kill15@10', 'die@11', 'stop@11', 'start@20', 'die@30'])).toBe(10);
  });

  it('counts a signal while the container may still be ending by it, and not for ever', () => {
    expect(requestAfter(['kill15@10'], 15)).toBe(10);
    expect(requestAfter(['kill15@10'], 5_000)).toBeNull();
  });

  it('forgets what is not kept, and ignores what is no container', () => {
    const before: StopRequests = { gone: { pendingAtMs: 1, stoppedAtMs: 1, endedBy: 'request', endedAtMs: 1 } };
    const other = events('kill9@10').map((event) => ({ ...event, type: 'network' }));
    expect(foldStopRequests(before, other, KEEP)).toEqual({});
  });

  it('does not take a new stop for an old one where the start between them was missed', () => {
    const before = foldStopRequests({}, events('kill15@10', 'die@11', 'stop@11'), KEEP);
    const after = foldStopRequests(afterMissedEvents(before), events('kill9@500', 'die@501'), KEEP);
    expect(requestedAtMs(after[ID], 600_000)).toBe(500_000);
    expect(requestedAtMs(afterMissedEvents(before)[ID], 600_000)).toBe(10_000);
  });

  it('says the same however the events are cut into surveys', () => {
    const step = fc.constantFrom('kill15', 'kill9', 'kill1', 'die', 'stop', 'start', 'oom');
    fc.assert(
      fc.property(fc.array(step, { maxLength: 12 }), fc.nat(12), (steps, cut) => {
        const all = events(...steps.map((action, index) => `${action}@${index * 7}`));
        const whole = foldStopRequests({}, all, KEEP);
        const half = foldStopRequests({}, all.slice(0, cut), KEEP);
        expect(foldStopRequests(half, all.slice(cut), KEEP)).toEqual(whole);
      }),
    );
  });
});
