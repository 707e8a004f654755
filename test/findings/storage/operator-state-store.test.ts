import { expect, test } from 'vitest';
import { nothingDeclared } from '../../../findings/operator-state.ts';
import { asResourceId } from '../../../signals/resource.ts';
import { HOUR_MS, NOW_MS, openStore } from '../../support/findings.ts';

const nas = asResourceId('nas');
const ann = { name: 'ann', reason: 'disks are being replaced' };
const at = { nowMs: NOW_MS };

test('what is declared is kept, what is not mentioned stays, and each change is history', () => {
  const { operatorStates } = openStore().store;
  const maintenance = { fromMs: NOW_MS, untilMs: NOW_MS + HOUR_MS };
  operatorStates.declare(nas, { maintenance, criticality: 'high' }, ann, at);
  const after = operatorStates.declare(nas, { neverAutoRemediate: true, note: 'ask Bob' }, ann, at);
  expect(after).toEqual({
    ...nothingDeclared(nas),
    maintenance,
    criticality: 'high',
    neverAutoRemediate: true,
    note: 'ask Bob',
  });
  expect(operatorStates.get(nas)).toEqual(after);
  expect(operatorStates.all()).toEqual(new Map([[nas, after]]));
  const history = operatorStates.history(nas);
  expect(history).toMatchObject([
    { kind: 'declared', actor: { kind: 'operator', name: 'ann' }, reason: 'disks are being replaced' },
    { state: after },
  ]);
});

test('the same again is no change; nothing is declared about others', () => {
  const { operatorStates } = openStore().store;
  operatorStates.declare(nas, { muted: true }, ann, at);
  operatorStates.declare(nas, { muted: true }, ann, at);
  expect(operatorStates.history(nas)).toHaveLength(1);
  expect(operatorStates.get(asResourceId('other'))).toBeNull();
});

test('what contradicts itself is refused and changes nothing', () => {
  const { operatorStates } = openStore().store;
  const declare = () => operatorStates.declare(nas, { maintenance: { fromMs: 2, untilMs: 1 } }, ann, at);
  expect(declare).toThrow(expect.objectContaining({ code: 'operator_state_invalid' }));
  expect(operatorStates.get(nas)).toBeNull();
});

test('what was declared can be withdrawn, once', () => {
  const { operatorStates } = openStore().store;
  operatorStates.declare(nas, { retired: true }, ann, at);
  operatorStates.withdraw(nas, ann, at);
  expect(operatorStates.get(nas)).toBeNull();
  expect(operatorStates.history(nas).map(({ kind, state }) => [kind, state?.retired ?? null])).toEqual([
    ['declared', true],
    ['withdrawn', null],
  ]);
  expect(() => operatorStates.withdraw(nas, ann, at)).toThrow(
    expect.objectContaining({ code: 'operator_state_not_set' }),
  );
});

test('a repeated request changes nothing, even after another one came between', () => {
  const { operatorStates } = openStore().store;
  const mute = () => operatorStates.declare(nas, { muted: true }, ann, { nowMs: NOW_MS, requestId: 'r1' });
  mute();
  operatorStates.declare(nas, { muted: false }, ann, at);
  expect(mute().muted).toBe(false);
  expect(operatorStates.history(nas)).toHaveLength(2);
});
