import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { certificateExpiring } from '../../../signals/detectors/certificate-expiring.ts';
import type { CertificateReading } from '../../../signals/reading.ts';
import { tell } from '../../support/readings.ts';
import {
  DAY_MS,
  HOUR_MS,
  MINUTE_MS,
  rankOf,
  resourceOf,
  START_MS,
  type Story,
  settingsOf,
  signalOf,
  startStory,
} from '../../support/signal-story.ts';

const endpoint = resourceOf('endpoint', { name: 'nas', expects: ['certificate'] });
const story = (settings: Record<string, unknown> = {}) =>
  startStory({
    detector: certificateExpiring,
    resource: endpoint,
    settings: settingsOf('endpoint', 'certificate', settings),
  });

/** A certificate of 90 days, unless told otherwise. */
const ending = (days: number, more: Partial<CertificateReading> & { readonly lifeDays?: number | null } = {}) => {
  const { lifeDays = 90, ...rest } = more;
  const notAfterMs = START_MS + days * DAY_MS;
  return tell('certificate', {
    subject: 'web',
    notAfterMs,
    notBeforeMs: lifeDays === null ? null : notAfterMs - lifeDays * DAY_MS,
    ...rest,
  });
};
const stateOf = (reading: ReturnType<typeof ending>, one: Story = story()): string | undefined =>
  one.look([reading]).states['web'];

describe('what is left', () => {
  test.each<[string, ReturnType<typeof ending>, string]>([
    ['20 days and a bit', ending(20.01), 'clear'],
    ['20 days', ending(20), 'raised:warning'],
    ['3 days and a bit', ending(3.01), 'raised:warning'],
    ['3 days', ending(3), 'raised:critical'],
    ['nothing', ending(0), 'raised:critical'],
    ['less than nothing', ending(-30), 'raised:critical'],
    ['20 days, of a life that is not told', ending(20, { lifeDays: null }), 'raised:warning'],
    ['12 days of 47', ending(12, { lifeDays: 47 }), 'clear'],
    ['11 days of 47', ending(11, { lifeDays: 47 }), 'raised:warning'],
    ['2 days of 6', ending(2, { lifeDays: 6 }), 'clear'],
    ['36 hours of 6 days', ending(1.5, { lifeDays: 6 }), 'raised:warning'],
    ['18 hours of 6 days', ending(0.75, { lifeDays: 6 }), 'raised:critical'],
    ['7 hours of a day', ending(7 / 24, { lifeDays: 1 }), 'clear'],
    ['6 hours of a day', ending(6 / 24, { lifeDays: 1 }), 'raised:warning'],
    ['13 days of one that renews itself', ending(13, { renewsItself: true }), 'clear'],
    ['10 days of one that renews itself', ending(10, { renewsItself: true }), 'raised:warning'],
  ])('%s', (_, reading, state) => {
    expect(stateOf(reading)).toBe(state);
  });

  test('is told with its limit and where that came from', () => {
    const signal = (reading: ReturnType<typeof ending>, settings = {}) => signalOf(story(settings).look([reading]));
    expect(signal(ending(10))).toMatchObject({
      summary: 'the certificate of web ends in 10 d, 2026-03-20 12:00 UTC, limit 20 d (default)',
      clearsWhen: 'what is left of a certificate that is served is back at 21 d or more',
      level: { value: 10, unit: 'days', limit: { trigger: 20 } },
    });
    expect(signal(ending(1.5, { lifeDays: 6 })).summary).toContain('limit 36 h (derived: a quarter of its life)');
    expect(signal(ending(9, { renewsItself: true })).summary).toContain(
      'limit 10 d (derived: it renews itself 14 days before its end)',
    );
    expect(signal(ending(40), { warning: 45 }).summary).toContain('limit 45 d (alerts.endpoint.certificate.warning)');
  });

  test('is judged by what the operator wrote, whatever its life', () => {
    expect(stateOf(ending(40, { lifeDays: 47 }), story({ warning: 45 }))).toBe('raised:warning');
    expect(stateOf(ending(19), story({ warning: 14 }))).toBe('clear');
  });

  test('inside the band keeps what it was', () => {
    const one = story();
    expect(stateOf(ending(20.5), one)).toBe('clear');
    stateOf(ending(20), one);
    expect(stateOf(ending(20.9), one)).toBe('raised:warning');
    expect(stateOf(ending(21), one)).toBe('clear');
  });
});

describe('a certificate that clients refuse', () => {
  test.each([
    ['is critical', { invalidReason: 'it is self-signed' }, 'it is self-signed'],
    ['because it is not valid yet', { notBeforeMs: START_MS + HOUR_MS }, 'it is not valid before 2026-03-10 13:00 UTC'],
  ])('%s', (_, more, reason) => {
    expect(signalOf(story().look([ending(80, more)]))).toMatchObject({
      severity: 'critical',
      summary: `the certificate of web is refused: ${reason}`,
    });
  });

  test('because it ended is critical though no limit is set', () => {
    const one = story({ critical: 'off' });
    expect(signalOf(one.look([ending(-2)]))).toMatchObject({
      severity: 'critical',
      summary: 'the certificate of web is refused: it ended 2 d ago, 2026-03-08 12:00 UTC',
    });
  });

  test('may be a few minutes younger than our clock', () => {
    expect(stateOf(ending(90, { notBeforeMs: START_MS + 4 * MINUTE_MS }))).toBe('clear');
  });
});

describe('a finding', () => {
  test('is not cleared by a probe that fails, but by a certificate that is renewed', () => {
    const one = story();
    one.look([ending(2)]);
    const gaps = [
      { sourceId: 'host', reads: ['certificate' as const], code: 'not_answering' as const, reason: 'refused' },
    ];
    expect(one.restart().wait(HOUR_MS).look([], { gaps }).states).toEqual({ web: 'unobserved:not_answering' });
    expect(one.memory('web')?.severity).toBe('critical');
    expect(one.wait(HOUR_MS).look([ending(89)]).states).toEqual({ web: 'clear' });
  });

  test('belongs to the name it is served under', () => {
    const look = story().look([ending(2), ending(80, { subject: 'mail' }), ending(15, { subject: 'mail' })]);
    expect(look.states).toEqual({ web: 'raised:critical', mail: 'raised:warning' });
  });

  test('of a certificate without a name has no subject', () => {
    expect(story().look([ending(2, { subject: '' })]).states).toEqual({ '': 'raised:critical' });
  });
});

test('a certificate that ends beyond all calendars is well', () => {
  expect(stateOf(tell('certificate', { subject: 'web', notAfterMs: 1e300, notBeforeMs: null }))).toBe('clear');
  expect(signalOf(story().look([ending(9, { notBeforeMs: 1e300 })])).summary).toContain('a date beyond all calendars');
});

test('less that is left never lowers the severity', () => {
  const days = fc.double({ min: -10, max: 60, noNaN: true });
  const life = fc.option(fc.double({ min: 0.1, max: 400, noNaN: true }));
  fc.assert(
    fc.property(days, fc.double({ min: 0, max: 10, noNaN: true }), life, fc.boolean(), (left, less, lifeDays, was) => {
      const notBeforeMs = lifeDays === null ? null : START_MS - lifeDays * DAY_MS;
      const rank = (value: number): number => {
        const one = story();
        if (was) one.look([ending(1, { notBeforeMs })]);
        return rankOf(one.look([ending(value, { notBeforeMs })]), 'web');
      };
      expect(rank(left - less)).toBeGreaterThanOrEqual(rank(left));
    }),
  );
});
