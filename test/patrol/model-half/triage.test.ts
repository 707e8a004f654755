import { expect, test } from 'vitest';
import { highDisk } from '../../../signals/detectors/high-disk.ts';
import { raidDegraded } from '../../../signals/detectors/raid-degraded.ts';
import { evaluate } from '../../../signals/evaluate.ts';
import { noHistory } from '../../../signals/history.ts';
import { createLimitResolver, noSettings } from '../../../signals/limits.ts';
import type { Reading } from '../../../signals/reading.ts';
import { asResourceId, type Resource } from '../../../signals/resource.ts';
import { easedLimits } from '../../../src/patrol/model-half/eased-limits.ts';
import { type Triage, triage } from '../../../src/patrol/model-half/triage.ts';
import { tell } from '../../support/readings.ts';
import { GIB, resourceOf, START_MS } from '../../support/signal-story.ts';

const volume = (name: string, usedPercent: number, more: Partial<Resource> = {}) => ({
  resource: { ...resourceOf('filesystem', { name, expects: ['filesystem'], ...more }), id: asResourceId(name) },
  reading: tell('filesystem', {
    sizeBytes: 100 * GIB,
    usedBytes: usedPercent * GIB,
    availableBytes: (100 - usedPercent) * GIB,
  }),
});
const array = (name: string, active: number) => ({
  resource: { ...resourceOf('array', { name, expects: ['array'] }), id: asResourceId(name) },
  reading: tell('array', { requiredDevices: 2, activeDevices: active }),
});

const look = (
  things: readonly { readonly resource: Resource; readonly reading: object }[],
  news: readonly string[] = [],
): Triage => {
  const byId = new Map(
    things.map(({ resource, reading }, index) => [
      resource.id,
      {
        ...reading,
        id: `e${index}`,
        resourceId: resource.id,
        sourceId: 'host',
        takenAtMs: START_MS,
        receivedAtMs: START_MS,
      } as Reading,
    ]),
  );
  const resources = things.map(({ resource }) => resource);
  const evaluation = evaluate({
    world: {
      resources,
      readingsOf: (id) => [byId.get(id)].filter((reading) => reading !== undefined),
      gapsOf: () => [],
      lastSurveyAtMs: () => null,
    },
    detectors: [highDisk, raidDegraded],
    limits: easedLimits(createLimitResolver(noSettings)),
    history: { of: () => noHistory },
    memories: { of: () => undefined },
    nowMs: START_MS,
  });
  return triage({ resources, evaluation, isNew: (id) => news.includes(id) });
};

test('what is near its limit is worth a look, the worst first; the rest is counted', () => {
  const found = look([
    volume('fine', 40),
    volume('near', 70),
    array('broken', 1),
    array('whole', 2),
    volume('full', 97),
  ]);
  expect(found.flags.map(({ resource }) => resource.id)).toEqual(['broken', 'full', 'near']);
  expect([...found.quiet]).toEqual([
    ['filesystem', 1],
    ['array', 1],
  ]);
});

test('a reason says what is, and not what the limit is', () => {
  const [flag] = look([volume('near', 70)]).flags;
  expect(flag?.reasons[0]).toMatch(/70 %/);
  expect(flag?.reasons.join()).not.toContain('limit');
});

test('a thing that is degraded by its own word, or new, is worth a look without a figure', () => {
  const found = look([volume('sick', 10, { status: 'degraded' }), volume('new', 10), volume('old', 10)], ['new']);
  expect(found.flags.map(({ resource, reasons }) => [resource.id, reasons])).toEqual([
    ['sick', ['it is degraded']],
    ['new', ['it was not there before']],
  ]);
});
