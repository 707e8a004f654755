/**
 * The `host` source: this machine, bare or from inside a container that has its root mounted. Linux, as any user: what
 * is not permitted is a gap with its remedy.
 *
 * In a container: `root: /host` with `/:/host:ro,rslave`, the host's process namespace (`pid: host`) or its /proc within
 * that mount, `/run/systemd/system` and `/run/dbus` for units, disks and capabilities for SMART.
 */
import { createCommandRunner } from '../../runtime/command.ts';
import { defineSource } from '../source.ts';
import { type HostConfig, hostConfigSchema } from './config.ts';
import { createHostSource } from './host-source.ts';
import { createLiveRootReader } from './live-root-reader.ts';

/** Longer than a survey gives itself, so that what was read arrives. */
const TIMEOUT_MS = 60_000;
const REMOTE_SPACE_TIMEOUT_MS = 4_000;

export const hostSource = defineSource<HostConfig>({
  type: 'host',
  configSchema: hostConfigSchema,
  reads: [
    'cpu',
    'memory',
    'filesystem',
    'capacity',
    'smart',
    'array',
    'zfs_pool',
    'thin_pool',
    'unit',
    'oom_kills',
    'boot',
    'memory_errors',
    'temperature',
    'clock',
    'bond',
  ],
  defaultTimeoutMs: TIMEOUT_MS,
  create: (id, config, deps) => {
    const runner = createCommandRunner();
    const reader = createLiveRootReader({ root: config.root, runner, remoteTimeoutMs: REMOTE_SPACE_TIMEOUT_MS });
    return createHostSource({ ...deps, id, config, reader, runner });
  },
});
