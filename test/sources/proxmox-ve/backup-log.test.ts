import { expect, it } from 'vitest';
import { readBackupLog } from '../../../src/sources/proxmox-ve/backup-log.ts';

it('reads where it wrote to, whom it began, finished and failed', () => {
  const log = readBackupLog([
    'INFO: starting new backup job: vzdump 100 101 102 --mode snapshot --storage pbs1 --quiet 1',
    'INFO: Starting Backup of VM 100 (qemu)',
    'INFO: Finished Backup of VM 100 (00:00:07)',
    'INFO: Starting Backup of VM 101 (lxc)',
    'ERROR: Backup of VM 101 failed - command failed, token=abcdef0123456789abcdef',
    'INFO: Starting Backup of VM 102 (qemu)',
  ]);
  expect(log).toMatchObject({ storage: 'pbs1', begun: ['100', '101', '102'], finished: ['100'] });
  expect(Object.keys(log.failed)).toEqual(['101']);
  expect(JSON.stringify(log)).not.toContain('abcdef0123456789abcdef');
});

it('tells nothing where the words are others', () => {
  expect(readBackupLog(['Sicherung von VM 100 gestartet', ''])).toEqual({
    storage: null,
    begun: [],
    finished: [],
    failed: {},
  });
});
