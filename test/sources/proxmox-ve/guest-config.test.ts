import { expect, it } from 'vitest';
import { bornAtOf, guestConfigSchema, hasAgent, leftOutOf } from '../../../src/sources/proxmox-ve/guest-config.ts';

const parse = (config: Readonly<Record<string, unknown>>) => guestConfigSchema.parse(config);

it.each([
  ['1', true],
  [1, true],
  ['enabled=1,fstrim_cloned_disks=1', true],
  ['fstrim_cloned_disks=1,enabled=1', true],
  ['0', false],
  ['enabled=0', false],
  [undefined, false],
])('reads the agent setting %j', (agent, isOn) => {
  expect(hasAgent(parse({ agent }))).toBe(isOn);
});

it('knows when a guest was made, where its config tells', () => {
  expect(bornAtOf(parse({ meta: 'creation-qemu=9.0.2,ctime=1731400000' }))).toBe('1731400000');
  expect(bornAtOf(parse({ meta: 'creation-qemu=9.0.2' }))).toBeNull();
  expect(bornAtOf(parse({}))).toBeNull();
});

it('names disks that are left out of backups by name', () => {
  expect(
    leftOutOf(
      parse({
        mp0: 'a:b,backup=0,mp=/x',
        mp1: 'a:c,backup=1',
        scsi1: 'a:d,backup=no',
        net0: 'backup=0',
        rootfs: 'a:e',
      }),
    ),
  ).toEqual(['mp0', 'scsi1']);
});
