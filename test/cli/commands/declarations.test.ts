import { expect, test } from 'vitest';
import { type Household, openHousehold } from '../../support/patrold-process.ts';

const SLOW_MS = 60_000;
const SICK = 'chaos/container/service-0';

const openSick = async (): Promise<Household> => {
  const house = await openHousehold(1);
  house.engine.setFaulty(() => true);
  await house.patrol();
  return house;
};

const declared = async (house: Household): Promise<unknown> =>
  JSON.parse((await house.run(['resources', 'declarations', '--json'])).stdout);

test('what is declared holds: findings that it covers are kept and do not count, until it is taken back', {
  timeout: SLOW_MS,
}, async () => {
  const house = await openSick();
  const fails = async (): Promise<number | null> => (await house.run(['run', '--quiet', '--fail-on', 'warning'])).code;
  expect(await fails()).toBe(1);
  const { stdout } = await house.run(['resources', 'declare', SICK, '--maintenance', '2h', '--why', 'new disk']);
  expect(stdout).toContain(`${SICK}: maintenance from `);
  expect(await fails()).toBe(0);
  await house.run(['resources', 'declare', SICK, '--no-maintenance', '--criticality', 'high']);
  expect(await declared(house)).toMatchObject({
    declarations: [{ resourceId: SICK, maintenance: null, criticality: 'high' }],
  });
  expect(await fails()).toBe(1);
  await house.run(['resources', 'declare', SICK, '--muted']);
  expect(await fails()).toBe(0);
  expect((await house.run(['resources', 'withdraw', SICK])).code).toBe(0);
  expect(await declared(house)).toEqual({ declarations: [] });
  expect(await fails()).toBe(1);
});

test.each([
  ['nothing', [SICK], 'say what to declare'],
  ['something about what is not there', ['no/such', '--muted'], 'there is no resource "no/such"'],
  ['a beginning without maintenance', [SICK, '--from', '2026-12-24T22:00'], '--from goes with --maintenance'],
  ['a beginning that is none', [SICK, '--maintenance', '1h', '--from', 'soon'], 'expected an instant'],
  ['maintenance without end', [SICK, '--maintenance', '200d'], '90 days at most'],
  ['a criticality that is none', [SICK, '--criticality', 'huge'], 'low, normal, high'],
])('declaring %s is refused with what would be right', { timeout: SLOW_MS }, async (_, args, complaint) => {
  const house = await openSick();
  const { code, stderr } = await house.run(['resources', 'declare', ...args]);
  expect(code).toBe(2);
  expect(stderr).toContain(complaint);
  expect(await declared(house)).toEqual({ declarations: [] });
});
