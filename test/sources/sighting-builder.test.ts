import { expect, it } from 'vitest';
import { hint } from '../../signals/claim.ts';
import { createSightingBuilder } from '../../src/sources/sighting-builder.ts';

const keys = [hint('k:1')];
const boot = { kind: 'boot', bootedAtMs: 1, previousEndedOrderly: null, previousEndedAtMs: null } as const;

it('says why a promise was not kept where nobody else does', () => {
  const out = createSightingBuilder('Prometheus');
  out.claim({ ref: 'a', kind: 'host', name: 'alpha', keys, expects: ['cpu', 'boot', 'memory'] });
  out.read('a', boot, 5);
  out.gap({ ref: null, reads: ['memory'], code: 'failed', reason: 'x' });
  expect(out.build().gaps).toEqual([
    { ref: null, reads: ['memory'], code: 'failed', reason: 'x' },
    { ref: 'a', reads: ['cpu'], code: 'empty', reason: 'Prometheus has no usable cpu of alpha' },
  ]);
});

it('takes a gap about everything of a thing, or of the source, for its reason', () => {
  for (const ref of ['a', null]) {
    const out = createSightingBuilder('Prometheus');
    out.claim({ ref: 'a', kind: 'host', name: 'alpha', keys, expects: ['cpu'] });
    out.gap({ ref, reads: [], code: 'unreachable', reason: 'x' });
    expect(out.build().gaps).toHaveLength(1);
  }
});

it('drops what is about a thing that was not claimed', () => {
  const out = createSightingBuilder('Prometheus');
  out.read('nobody', boot, 5);
  out.series({ ref: 'nobody', metric: 'm', samples: [{ atMs: 1, value: 1, windowMs: 0 }] });
  out.gap({ ref: 'nobody', reads: [], code: 'failed', reason: 'x' });
  expect(out.build()).toEqual({ claims: [], readings: [], series: [], gaps: [], listed: [] });
});

it('keeps the first claim of a thing and adds what later ones expect', () => {
  const out = createSightingBuilder('Prometheus');
  out.claim({ ref: 'b', kind: 'disk', name: 'first', keys, facts: { a: 1 } });
  out.claim({ ref: 'b', kind: 'disk', name: 'second', keys, expects: ['smart'], facts: { a: 2, b: 3 } });
  out.claim({ ref: 'c', kind: 'host', name: 'host', keys });
  out.read('b', boot, 1);
  expect(out.build().claims).toEqual([
    expect.objectContaining({ ref: 'c', kind: 'host' }),
    expect.objectContaining({
      ref: 'b',
      name: 'first',
      expects: ['smart', 'boot'],
      facts: { a: 1, b: 3 },
      parentRef: null,
      status: 'running',
    }),
  ]);
});
