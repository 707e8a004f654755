import { expect, test } from 'vitest';
import { detectors } from '../../../signals/detectors/index.ts';
import { createLimitResolver, noSettings } from '../../../signals/limits.ts';
import { easedLimits } from '../../../src/patrol/model-half/eased-limits.ts';
import { resourceOf } from '../../support/signal-story.ts';

const limits = createLimitResolver(noSettings);
const eased = easedLimits(limits);

test.each(
  detectors.flatMap((detector) => Object.values(detector.limits).map((spec) => [detector.type, spec] as const)),
)('each limit of %s lies before the one that raises, and clears as far from it', (_, spec) => {
  const [kind] = spec.kinds;
  if (kind === undefined) throw new Error('a limit of nothing');
  const resource = resourceOf(kind);
  const before = limits.of(spec, resource);
  const after = eased.of(spec, resource);
  expect(eased.for(resource).all({ one: spec })).toMatchObject({ limits: { one: after }, allOff: false });
  for (const severity of ['warning', 'critical'] as const) {
    const [there, here] = [before[severity], after[severity]];
    if (there === null || here === null || spec.direction === 'state') {
      expect(here).toEqual(there);
      continue;
    }
    const distance = spec.direction === 'above' ? there.trigger - here.trigger : here.trigger - there.trigger;
    expect(distance).toBeGreaterThanOrEqual(0);
    expect(here.clear - here.trigger).toBeCloseTo(there.clear - there.trigger, 9);
  }
});
