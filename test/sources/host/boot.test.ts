import { describe, expect, test } from 'vitest';
import { collectBoot, previousEndByJournal } from '../../../src/sources/host/boot.ts';
import { exited, hostContext } from '../../support/host-context.ts';
import { createMemoryState } from '../../support/memory-state.ts';

const line = (text: string, identifier = 'systemd') => ({ atMs: 5, text, identifier });

describe('last words of an orderly end', () => {
  test.each([
    'Reached target reboot.target - System Reboot.',
    'Reached target System Power Off.',
    'Reached target poweroff.target - System Power Off.',
    'Reached target Power-Off.',
    'Reached target Reboot.',
    'Reached target Shutdown.',
    'Reached target umount.target - Unmount All Filesystems.',
    'Reached target Late Shutdown Services.',
    'Shutting down.',
  ])('%s', (text) => {
    expect(previousEndByJournal([line('Stopped x.'), line(text), line('Journal stopped', 'systemd-journald')])).toEqual(
      {
        orderly: true,
        endedAtMs: 5,
      },
    );
  });

  test.each([
    ['Reached target multi-user.target - Multi-User System.', 'systemd'],
    ['Reached target Reboot.', 'evil-app'],
    ['Started Daily apt download activities.', 'systemd'],
    ['nvme nvme0: I/O timeout', 'kernel'],
  ])('%s by %s is none', (text, identifier) => {
    expect(previousEndByJournal([line(text, identifier)])?.orderly).toBe(false);
  });

  test('of an empty journal nothing is known', () => {
    expect(previousEndByJournal([])).toBeNull();
  });
});

describe('a boot', () => {
  const systemd = { directories: ['/run/systemd/journal'] };
  const entry = JSON.stringify({
    __REALTIME_TIMESTAMP: '5000000',
    MESSAGE: 'Shutting down.',
    SYSLOG_IDENTIFIER: 'systemd',
  });

  test('is looked up once while it lasts', async () => {
    const state = createMemoryState();
    const first = await collectBoot(hostContext(systemd, [[/--boot=-1/, exited(entry)]], { state }));
    expect(first.readings).toMatchObject([{ previousEndedOrderly: true, previousEndedAtMs: 5_000 }]);
    const again = hostContext(systemd, [], { state });
    expect((await collectBoot(again)).readings).toMatchObject([{ previousEndedOrderly: true }]);
    expect(again.asked).toEqual([]);
    const rebooted = await collectBoot(hostContext(systemd, [], { state, bootId: 'boot-2' }));
    expect(rebooted.readings).toMatchObject([{ previousEndedOrderly: null }]);
  });

  test('of a container is its host’s doing', async () => {
    expect(await collectBoot(hostContext({}, [], { environment: { container: 'lxc' } }))).toMatchObject({
      readings: [],
      additions: [],
    });
  });
});
