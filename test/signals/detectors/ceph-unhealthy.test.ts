import { describe, expect, test } from 'vitest';
import { cephUnhealthy } from '../../../signals/detectors/ceph-unhealthy.ts';
import type { CephReading } from '../../../signals/reading.ts';
import { tell } from '../../support/readings.ts';
import { MINUTE_MS, resourceOf, settingsOf, signalOf, startStory } from '../../support/signal-story.ts';

type Check = CephReading['checks'][number];
const cluster = resourceOf('cluster', { name: 'home', expects: ['ceph'] });
const story = (metric = 'cephWarning', settings: Record<string, unknown> = {}) =>
  startStory({ detector: cephUnhealthy, resource: cluster, settings: settingsOf('cluster', metric, settings) });
const check = (name: string, severity: Check['severity'] = 'HEALTH_WARN', muted = false): Check => ({
  name,
  severity,
  summary: `${name.toLowerCase()} it is`,
  muted,
});
const ceph = (health: CephReading['health'], ...checks: readonly Check[]) => [tell('ceph', { health, checks })];
const stateAfter = (minutes: number, readings: ReturnType<typeof ceph>, one = story()) => {
  one.look(readings);
  return one.wait(minutes * MINUTE_MS).look(readings).states[''];
};

describe('Ceph', () => {
  test.each<[string, number, ReturnType<typeof ceph>, string]>([
    ['well', 60, ceph('HEALTH_OK'), 'clear'],
    ['warning for a while', 14, ceph('HEALTH_WARN', check('OSD_DOWN')), 'unobserved:confirming'],
    ['warning for long', 15, ceph('HEALTH_WARN', check('OSD_DOWN')), 'raised:warning'],
    ['warning without saying why', 15, ceph('HEALTH_WARN'), 'raised:warning'],
    ['in error for a while', 4, ceph('HEALTH_ERR', check('PG_DAMAGED', 'HEALTH_ERR')), 'unobserved:confirming'],
    ['in error for long', 5, ceph('HEALTH_ERR', check('PG_DAMAGED', 'HEALTH_ERR')), 'raised:critical'],
    ['warning of what was muted', 60, ceph('HEALTH_WARN', check('POOL_NO_REDUNDANCY', 'HEALTH_WARN', true)), 'clear'],
    [
      'in error of what was muted, and warning beside it',
      60,
      ceph('HEALTH_ERR', check('OSD_FULL', 'HEALTH_ERR', true), check('OSD_DOWN')),
      'raised:warning',
    ],
  ])('%s', (_, minutes, readings, expected) => {
    expect(stateAfter(minutes, readings)).toBe(expected);
  });

  test('names the worst checks first, and is over when it is well', () => {
    const one = story();
    const bad = ceph('HEALTH_ERR', check('OSD_DOWN'), check('PG_DAMAGED', 'HEALTH_ERR'));
    one.look(bad);
    expect(signalOf(one.wait(10 * MINUTE_MS).look(bad)).summary).toBe(
      'HEALTH_ERR: PG_DAMAGED (pg_damaged it is), OSD_DOWN (osd_down it is); for 10 min, limit 5 min (default)',
    );
    expect(one.wait(MINUTE_MS).look(ceph('HEALTH_OK')).states).toEqual({ '': 'clear' });
  });

  test('a known warning that turns into an error is critical at once', () => {
    const one = story();
    expect(stateAfter(20, ceph('HEALTH_WARN'), one)).toBe('raised:warning');
    expect(one.wait(MINUTE_MS).look(ceph('HEALTH_ERR')).states).toEqual({ '': 'raised:critical' });
  });

  test('warnings can be switched off, errors stay', () => {
    expect(stateAfter(60, ceph('HEALTH_WARN'), story('cephWarning', { off: true }))).toBe('clear');
    expect(stateAfter(60, ceph('HEALTH_ERR'), story('cephWarning', { off: true }))).toBe('raised:critical');
  });
});
