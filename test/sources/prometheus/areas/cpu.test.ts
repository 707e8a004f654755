import { describe, expect, it } from 'vitest';
import { cpuUse } from '../../../../src/sources/prometheus/areas/cpu.ts';

const use = (modes: Readonly<Record<string, number>>) => cpuUse(new Map(Object.entries(modes)));

describe('CPU use by mode', () => {
  it('counts neither idling nor waiting nor what the hypervisor took as busy', () => {
    const shares = use({ idle: 0.5, iowait: 0.1, steal: 0.1, user: 0.2, system: 0.1 });
    expect(shares?.busyRatio).toBeCloseTo(0.3);
    expect(shares?.iowaitRatio).toBeCloseTo(0.1);
    expect(shares?.stealRatio).toBeCloseTo(0.1);
  });

  it('takes shares of what there is, where the modes do not add up to one', () => {
    expect(use({ idle: 1.5, user: 0.5 })).toEqual({ busyRatio: 0.25, iowaitRatio: null, stealRatio: null });
  });

  it.each([
    ['without idle time', { user: 1 }],
    ['without any time', { idle: 0, user: 0 }],
    ['without modes', {}],
  ])('is unknown %s', (_title, modes) => {
    expect(use(modes)).toBeNull();
  });
});
