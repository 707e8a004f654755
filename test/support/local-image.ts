/**
 * The image that the Dockerfile describes, from what is on this machine: no registry is asked. What its last stage copies
 * comes from the package and the packages that it runs with, what it sets is set; instead of Debian there are the
 * libraries that Node needs, and busybox.
 */
import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  copyFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { inPath } from './docker-daemon.ts';
import { copiesOf, parseDockerfile, type Stage } from './dockerfile.ts';
import { packedPatrold, runtimePackages } from './packed-patrold.ts';

const CHECKOUT = join(import.meta.dirname, '..', '..');
const USER_ID = 10_001;
/** What `docker import --change` can set. */
const SETTINGS = new Set(['CMD', 'ENTRYPOINT', 'ENV', 'EXPOSE', 'HEALTHCHECK', 'USER', 'VOLUME']);

export const readStages = (): readonly Stage[] => parseDockerfile(readFileSync(join(CHECKOUT, 'Dockerfile'), 'utf8'));

const copyInto = (source: string, target: string): void => {
  mkdirSync(dirname(target), { recursive: true });
  cpSync(source, target, { recursive: true, dereference: true });
};

/** What the first stage leaves for the last one: `/node`, and `/src` with what was compiled and what it runs with. */
const layOutBuild = (root: string): void => {
  copyInto(join(packedPatrold(), 'dist'), join(root, 'src/dist'));
  for (const path of runtimePackages()) {
    if (!path.includes('/node-linux-')) copyInto(join(CHECKOUT, path), join(root, 'src', path));
  }
  for (const part of ['deps', 'src']) {
    rmSync(join(root, 'src/node_modules/better-sqlite3', part), { recursive: true, force: true });
  }
  copyFileSync(process.execPath, join(root, 'node'));
};

/** The program loader and the libraries that a program names, at the places where it looks for them. */
const copyLibraries = (program: string, root: string): void => {
  const listed = execFileSync('ldd', [program], { encoding: 'utf8', timeout: 10_000 });
  for (const [path] of listed.matchAll(/\/\S+\.so[.\d]*/g)) copyInto(path, join(root, path));
};

/** What Debian and the last stage's commands would have put there. */
const layOutSystem = (root: string): void => {
  for (const part of ['bin', 'tmp', 'etc', 'proc', 'dev', 'sys', 'host', 'run/systemd/system']) {
    mkdirSync(join(root, part), { recursive: true });
  }
  copyFileSync(inPath('busybox') ?? '', join(root, 'bin/busybox'));
  for (const applet of ['sh', 'cat', 'stat', 'id', 'touch', 'ls']) symlinkSync('busybox', join(root, 'bin', applet));
  copyLibraries(process.execPath, root);
  writeFileSync(
    join(root, 'etc/passwd'),
    `root:x:0:0:root:/root:/bin/sh\npatrold:x:${USER_ID}:${USER_ID}::/var/lib/patrold:/bin/sh\n`,
  );
  writeFileSync(join(root, 'etc/group'), `root:x:0:\npatrold:x:${USER_ID}:\n`);
  const data = join(root, 'var/lib/patrold');
  mkdirSync(data, { recursive: true });
  chmodSync(data, 0o700);
  chownSync(data, USER_ID, USER_ID);
};

const copyAsWritten = (stage: Stage, build: string, root: string): void => {
  for (const { from, sources, target } of copiesOf(stage)) {
    for (const source of sources) {
      const origin = from === null ? join(CHECKOUT, source) : join(build, source);
      if (!existsSync(origin)) throw new Error(`the Dockerfile copies ${source}, which is not there`);
      const into = target.endsWith('/') ? join(root, target, source) : join(root, target);
      copyInto(origin, into);
    }
  }
};

/** Imports the image into the engine at this socket. */
export const importLocalImage = (socketPath: string, tag: string, work: string): void => {
  const [build, root] = [join(work, 'build'), join(work, 'rootfs')];
  const last = readStages().at(-1);
  if (last === undefined) throw new Error('the Dockerfile has no stage');
  layOutBuild(build);
  layOutSystem(root);
  copyAsWritten(last, build, root);
  chmodSync(join(root, 'usr/local/bin/node'), 0o755);
  const changes = last.instructions
    .filter(({ name }) => SETTINGS.has(name))
    .flatMap(({ name, rest }) => ['--change', `${name} ${rest}`]);
  const tar = join(work, 'image.tar');
  execFileSync('tar', ['-C', root, '-cf', tar, '.'], { timeout: 60_000 });
  const docker = inPath('docker') ?? 'docker';
  execFileSync(docker, ['-H', `unix://${socketPath}`, 'import', ...changes, tar, tag], {
    timeout: 120_000,
    stdio: 'pipe',
  });
};
