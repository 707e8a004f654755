/** Whether what is watched is a machine or a container on one: a container sees much of its host that is not its own. */
import { type Mount, parseMountinfo } from './mountinfo.ts';
import { namesIn, type RootReader, readLine } from './root-reader.ts';

export interface Environment {
  /** `lxc`, `docker`, `systemd-nspawn` …; null: a machine, real or virtual. */
  readonly container: string | null;
}

/** A Linux distribution on Windows is a machine of its own kernel, whatever it calls itself. */
const MACHINES = new Set(['wsl', 'none']);

export const readEnvironment = async (reader: RootReader): Promise<Environment> => {
  const container = (await readDeclared(reader)) ?? (await readMarks(reader));
  return { container: container === null || MACHINES.has(container) ? null : container };
};

/** systemd writes /run/systemd/container, nspawn and newer LXC /run/host; else init's environment says it, to root. */
const readDeclared = async (reader: RootReader): Promise<string | null> => {
  for (const path of ['/run/systemd/container', '/run/host/container-manager']) {
    const name = await readLine(reader, path);
    if (name !== null) return name;
  }
  const environ = await reader.readText('/proc/1/environ', 65_536);
  return environ.kind === 'read' ? (/(?:^|\0)container=([\w.-]{1,64})/.exec(environ.text)?.[1] ?? null) : null;
};

const readMarks = async (reader: RootReader): Promise<string | null> => {
  const { mounts } = parseMountinfo(await readMounts(reader));
  if (mounts.some(({ fsType, mountPoint }) => fsType === 'fuse.lxcfs' && mountPoint.startsWith('/proc/'))) return 'lxc';
  if (hasOwnDisk(mounts)) return null;
  if ((await namesIn(reader, '/')).includes('.dockerenv')) return 'docker';
  return (await namesIn(reader, '/run')).includes('.containerenv') ? 'podman' : null;
};

/** Where process 1 is hidden (a service with `ProtectProc=invisible`) our own mounts tell the same of the root. */
const readMounts = async (reader: RootReader): Promise<string> => {
  for (const process of reader.root === '/' ? ['1', 'self'] : ['1']) {
    const read = await reader.readText(`/proc/${process}/mountinfo`);
    if (read.kind === 'read' && read.text !== '') return read.text;
  }
  return '';
};

/** Virtual machines made from container images carry the engine's mark too, but have a device as their root. */
const hasOwnDisk = (mounts: readonly Mount[]): boolean => {
  const root = mounts.findLast(({ mountPoint }) => mountPoint === '/');
  return root !== undefined && root.root === '/' && root.source.startsWith('/dev/');
};
