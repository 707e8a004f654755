import { existsSync } from 'node:fs';
import type { KnipConfig } from 'knip';
import homes from './dependency-homes.json' with { type: 'json' };
import manifest from './package.json' with { type: 'json' };

const composed = existsSync('src/main.ts');

const homeOf = (dependency: string): string | undefined =>
  Object.entries(homes).find(([name]) => dependency === name || dependency.startsWith(`${name}/`))?.[1];

/** Packages chosen for a part that is not written yet: they wait for it, and count as unused once it is there. */
const waiting = Object.keys(manifest.dependencies).filter((dependency) => {
  const home = homeOf(dependency);
  return home !== undefined && !existsSync(home);
});

const config: KnipConfig = {
  entry: [
    'src/main.ts!',
    'src/*/schema.ts!',
    'bench/{main,scenarios,personas,chaos,measure-run}.ts',
    'test/support/file-until-killed.ts',
    'tools/docs/main.ts',
  ],
  project: ['{src,signals,findings}/**/*.ts!', '{test,bench,tools}/**/*.ts', '!test/fixtures/**'],
  // Biome is known by its command alone, which scripts run through bin/node.js.
  ignoreDependencies: [...waiting, '@biomejs/biome'],
  // Named limits are exported for tests and for readers, whoever else uses them.
  ignoreExportsUsedInFile: true,
  // Tests run programs of the machine, which .ci/run installs. Before there is a main to compose them, parts and
  // packages are not used by anything yet.
  exclude: composed ? ['binaries'] : ['binaries', 'files', 'exports', 'types', 'dependencies'],
};

export default config;
