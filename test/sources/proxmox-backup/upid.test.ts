import { expect, it } from 'vitest';
import { parseUpid } from '../../../src/sources/proxmox-backup/upid.ts';

it('tells node, start and type', () => {
  const text = 'UPID:pbs-1:0000168E:04450640:00000009:6AB26CEA:garbage_collection:main:root@pam:';
  expect(parseUpid(text)).toEqual({ node: 'pbs-1', startedAtMs: 0x6ab26cea * 1000, type: 'garbage_collection' });
  const withToken = 'UPID:pbs:00000A1B:00F3A2C1:0000001F:69AF3E50:backup:a\\x3avm/100:backup@pbs!pve:';
  expect(parseUpid(withToken)?.type).toBe('backup');
});

it.each(['', 'UPID:x', 'UPID:pve1:00000A1B:00F3A2C1:69AF3E50:vzdump:100:root@pam:', 'UPID:../etc:1:2:3:4:a:b:c:'])(
  'is none: %s',
  (text) => {
    expect(parseUpid(text)).toBeNull();
  },
);
