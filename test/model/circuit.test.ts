import fc from 'fast-check';
import { expect, test } from 'vitest';
import { CIRCUIT_LIMITS, type Circuit, createCircuit, createCircuits } from '../../src/model/circuit.ts';
import { ModelFailure, type ModelFailureKind } from '../../src/model/model-failure.ts';
import { createFakeClock } from '../support/fake-clock.ts';

const fail = (circuit: Circuit, kind: ModelFailureKind = 'overloaded', retryAfterMs?: number): void =>
  circuit.enter()(new ModelFailure(kind, kind, { retryAfterMs }));
const succeed = (circuit: Circuit): void => circuit.enter()('succeeded');
const refusesNow = (circuit: Circuit): boolean => {
  try {
    circuit.enter()(new ModelFailure('cancelled', 'only asked'));
    return false;
  } catch (error) {
    expect(error).toMatchObject({ kind: 'circuit_open' });
    return true;
  }
};

test('two failures leave it closed, the third opens it', () => {
  const circuit = createCircuit(createFakeClock(), 'http://model');
  fail(circuit);
  fail(circuit);
  expect(circuit.state()).toBe('closed');
  fail(circuit);
  expect(circuit.state()).toBe('open');
  expect(refusesNow(circuit)).toBe(true);
});

test('failures count only in a row', () => {
  const circuit = createCircuit(createFakeClock(), 'http://model');
  for (let round = 0; round < 5; round += 1) {
    fail(circuit);
    fail(circuit);
    succeed(circuit);
  }
  expect(circuit.state()).toBe('closed');
});

test('a rate limit opens it at once, for as long as the provider asks', async () => {
  const clock = createFakeClock();
  const circuit = createCircuit(clock, 'http://model');
  fail(circuit, 'rate_limited', 2_000);
  expect(circuit.waitMs()).toBe(2_000);
  await clock.advance(1_999);
  expect(refusesNow(circuit)).toBe(true);
  await clock.advance(1);
  expect(refusesNow(circuit)).toBe(false);
});

test.each<ModelFailureKind>(['refused', 'context_exceeded', 'model_not_found', 'unauthorised'])(
  'a provider that answers "%s" is well',
  (kind) => {
    const circuit = createCircuit(createFakeClock(), 'http://model');
    for (let count = 0; count < 10; count += 1) fail(circuit, kind);
    expect(circuit.state()).toBe('closed');
  },
);

test('each trial that fails doubles the wait, up to the longest', async () => {
  const clock = createFakeClock();
  const circuit = createCircuit(clock, 'http://model');
  for (let count = 0; count < 3; count += 1) fail(circuit);
  const waits: number[] = [];
  for (let count = 0; count < 9; count += 1) {
    waits.push(circuit.waitMs());
    await clock.advance(circuit.waitMs());
    fail(circuit);
  }
  expect(waits).toEqual([5_000, 10_000, 20_000, 40_000, 80_000, 160_000, 300_000, 300_000, 300_000]);
});

test('after its wait one request at a time tries it, and two successes close it', async () => {
  const clock = createFakeClock();
  const circuit = createCircuit(clock, 'http://model');
  for (let count = 0; count < 3; count += 1) fail(circuit);
  await clock.advance(CIRCUIT_LIMITS.firstOpenMs);
  const leave = circuit.enter();
  expect(refusesNow(circuit)).toBe(true);
  leave('succeeded');
  expect(circuit.state()).toBe('trying');
  succeed(circuit);
  expect(circuit.state()).toBe('closed');
});

test('a trial that was cancelled says nothing and blocks nobody', async () => {
  const clock = createFakeClock();
  const circuit = createCircuit(clock, 'http://model');
  for (let count = 0; count < 3; count += 1) fail(circuit);
  await clock.advance(CIRCUIT_LIMITS.firstOpenMs);
  fail(circuit, 'cancelled');
  expect(circuit.state()).toBe('trying');
  succeed(circuit);
  succeed(circuit);
  expect(circuit.state()).toBe('closed');
});

test('whatever happens, it is never open for longer than the longest wait without being asked to, and can be closed', async () => {
  const kinds = [
    'unreachable',
    'timed_out',
    'rate_limited',
    'overloaded',
    'bad_answer',
    'cancelled',
    'refused',
  ] as const;
  await fc.assert(
    fc.asyncProperty(fc.array(fc.oneof(fc.constantFrom(...kinds), fc.constant('fine' as const))), async (events) => {
      const clock = createFakeClock();
      const circuit = createCircuit(clock, 'http://model');
      for (const event of events) {
        expect(circuit.waitMs()).toBeLessThanOrEqual(CIRCUIT_LIMITS.longestOpenMs);
        if (circuit.waitMs() > 0) await clock.advance(circuit.waitMs());
        if (event === 'fine') succeed(circuit);
        else fail(circuit, event);
      }
      await clock.advance(circuit.waitMs());
      succeed(circuit);
      if (circuit.state() === 'trying') succeed(circuit);
      expect(circuit.state()).toBe('closed');
    }),
    { numRuns: 50 },
  );
});

test('a provider has one circuit, whoever asks for it', () => {
  const circuits = createCircuits(createFakeClock());
  for (let count = 0; count < 3; count += 1) fail(circuits.of('http://one'));
  expect(refusesNow(circuits.of('http://one'))).toBe(true);
  expect(refusesNow(circuits.of('http://other'))).toBe(false);
});
