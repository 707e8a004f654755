import { describe, expect, it } from 'vitest';
import { proxmoxBackupConfigSchema } from '../../../src/sources/proxmox-backup/proxmox-backup-config.ts';
import { calledBy, keepServer, learnName, namesOf, recallServer } from '../../../src/sources/proxmox-backup/server.ts';
import { createMemoryState } from '../../support/memory-state.ts';
import { PBS_FINGERPRINT, PBS_SERVER, upidOf } from '../../support/proxmox-backup-answers.ts';

const configOf = (more: Readonly<Record<string, unknown>> = {}) =>
  proxmoxBackupConfigSchema.parse({
    endpoints: ['pbs.example'],
    tokenId: 'patrold@pbs!read',
    tokenSecret: 'x',
    ...more,
  });

describe('names of a server', () => {
  it('are its certificate and where it is reached, without the usual port', () => {
    const config = configOf({ endpoints: ['PBS.example', 'https://[2001:db8::1]:8007', 'https://pbs.example:9000'] });
    const state = createMemoryState();
    keepServer(state, { fingerprint: PBS_SERVER });
    expect(namesOf(recallServer(config, state))).toEqual([
      PBS_SERVER,
      'pbs.example',
      '2001:db8::1',
      'pbs.example:9000',
    ]);
  });

  it('are not those of a tunnel’s end, which others reach in another way', () => {
    const config = configOf({ endpoints: ['https://localhost:8007', 'https://127.0.0.1:8008'] });
    expect(namesOf(recallServer(config, createMemoryState()))).toEqual([]);
  });

  it('hold what was pinned until the server tells its own', () => {
    const { fingerprint } = recallServer(configOf({ fingerprint: PBS_FINGERPRINT }), createMemoryState());
    expect(fingerprint).toBe(PBS_SERVER);
  });
});

describe('what targets are called after', () => {
  const known = (more: Readonly<Record<string, unknown>>): string => {
    const state = createMemoryState();
    keepServer(state, { fingerprint: PBS_SERVER });
    return calledBy(recallServer(configOf(more), state), configOf(more));
  };

  it('is the certificate where whoever writes there had to pin it too', () => {
    expect(known({ fingerprint: PBS_FINGERPRINT })).toBe(PBS_SERVER);
    expect(known({ caFile: '/etc/ca.pem' })).toBe(PBS_SERVER);
  });

  it('is the address where everybody accepts the certificate, and it changes with each renewal', () => {
    expect(known({})).toBe('pbs.example');
  });
});

it('learns the name of the machine from its tasks, and keeps it', () => {
  const state = createMemoryState();
  expect(recallServer(configOf(), state).name).toBe('pbs.example');
  learnName(state, [undefined, 'no upid', upidOf('garbage_collection', 'a', 1_773_000_000)]);
  expect(recallServer(configOf(), state).name).toBe('pbs1');
  learnName(state, []);
  expect(recallServer(configOf(), state).name).toBe('pbs1');
});
