/** Whether what is watched is a machine or a container on one: a container sees much of its host that is not its own. */
import { namesIn, type RootReader, readLine } from './root-reader.ts';

export interface Environment {
  /** `lxc`, `docker`, `systemd-nspawn` …; null: a machine, real or virtual. */
  readonly container: string | null;
}

/** A Linux distribution on Windows is a machine of its own kernel, whatever it calls itself. */
const MACHINES = new Set(['wsl', 'none']);

export const readEnvironment = async (reader: RootReader): Promise<Environment> => {
  const container = await readContainer(reader);
  return { container: container === null || MACHINES.has(container) ? null : container };
};

/** systemd writes /run/systemd/container, nspawn and newer LXC /run/host; engines leave marks in the root. */
const readContainer = async (reader: RootReader): Promise<string | null> => {
  for (const path of ['/run/systemd/container', '/run/host/container-manager']) {
    const name = await readLine(reader, path);
    if (name !== null) return name;
  }
  const environ = await reader.readText('/proc/1/environ', 65_536);
  const named = environ.kind === 'read' ? /(?:^|\0)container=([\w.-]{1,64})/.exec(environ.text)?.[1] : undefined;
  if (named !== undefined) return named;
  const marks = new Set(await namesIn(reader, '/'));
  if (marks.has('.dockerenv')) return 'docker';
  return (await namesIn(reader, '/run')).includes('.containerenv') ? 'podman' : null;
};
