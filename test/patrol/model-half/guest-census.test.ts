import { expect, test } from 'vitest';
import type { Reading } from '../../../signals/reading.ts';
import { asResourceId, type Resource } from '../../../signals/resource.ts';
import { censusText, guestCensus } from '../../../src/patrol/model-half/guest-census.ts';
import { tell } from '../../support/readings.ts';
import { resourceOf } from '../../support/signal-story.ts';

const guest = (name: string, status: Resource['status'], more: Partial<Resource> = {}): Resource => ({
  ...resourceOf('vm', { name, status, ...more }),
  id: asResourceId(name),
});
const probes: Readonly<Record<string, readonly boolean[]>> = { web: [false, true], mail: [false, false] };
const readingsOf = (id: string): readonly Reading[] =>
  (probes[id] ?? []).map((answered) => ({ ...tell('probe', { answered }), id: 'e', resourceId: id }) as Reading);

test('guests are counted by whether they run and whether any probe of them is answered', () => {
  const census = guestCensus(
    [
      guest('web', 'running'),
      guest('mail', 'running'),
      guest('db', 'running'),
      guest('old', 'stopped'),
      guest('asleep', 'paused'),
      guest('lost', 'unknown'),
      guest('remembered', 'running', { presence: 'remembered' }),
      resourceOf('host'),
    ],
    { readingsOf },
  );
  expect(census).toEqual({
    running: 3,
    off: 2,
    unknown: 2,
    answering: 1,
    notProbed: 1,
    silent: ['mail'],
  });
  expect(censusText(census)).toBe('3 running, 2 off, 2 unknown, of the running 1 answer, 1 do not, 1 are not probed');
});

test('without guests there is little to say', () => {
  expect(censusText(guestCensus([resourceOf('host')], { readingsOf }))).toBe('0 running');
});
