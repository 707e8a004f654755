import { expect, test } from 'vitest';
import { collectBonds } from '../../../src/sources/host/bonds.ts';
import { hostContext } from '../../support/host-context.ts';

const NET = '/sys/class/net';

test('a member is up only if it says so', async () => {
  const files = {
    [`${NET}/bonding_masters`]: 'bond0 bond1\n',
    [`${NET}/bond0/bonding/slaves`]: 'eno1 eno2 eno3\n',
    [`${NET}/eno1/bonding_slave/mii_status`]: 'up\n',
    [`${NET}/eno2/bonding_slave/mii_status`]: 'going back\n',
    [`${NET}/bond1/bonding/slaves`]: '\n',
  };
  const { readings } = await collectBonds(hostContext({ files }));
  expect(readings).toMatchObject([
    {
      name: 'bond0',
      members: [
        { name: 'eno1', up: true },
        { name: 'eno2', up: false },
        { name: 'eno3', up: false },
      ],
    },
    { name: 'bond1', members: [] },
  ]);
});

test('one that cannot be read is a gap', async () => {
  const host = hostContext({ files: { [`${NET}/bonding_masters`]: 'bond0\n' }, denied: [`${NET}/bond0`] });
  expect(await collectBonds(host)).toMatchObject({ readings: [], gaps: [{ reads: ['bond'], code: 'failed' }] });
});

test('without bonds nothing is expected', async () => {
  expect((await collectBonds(hostContext({}))).additions).toEqual([]);
  expect((await collectBonds(hostContext({ files: { [`${NET}/bonding_masters`]: '\n' } }))).additions).toEqual([]);
});
