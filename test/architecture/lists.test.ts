/** Adding one thing costs one file, one line in a list and one mirrored test: here is what was forgotten. */
import { dirname } from 'node:path';
import { expect, test } from 'vitest';
import { CHECKOUT, filesOf, plant } from './source-tree.ts';

interface Family {
  readonly directory: string;
  /** The call that makes a member. */
  readonly define: string;
  /** The property that holds its id. */
  readonly idKey: 'type' | 'name';
  readonly tests: string;
  /** Every file is a member, so that a file without one is a mistake; otherwise members have files of their own beside. */
  readonly membersOnly: boolean;
}

const FAMILIES: readonly Family[] = [
  {
    directory: 'signals/detectors',
    define: 'defineDetector',
    idKey: 'type',
    tests: 'test/signals/detectors',
    membersOnly: true,
  },
  { directory: 'src/sources', define: 'defineSource', idKey: 'type', tests: 'test/sources', membersOnly: false },
  { directory: 'src/tools', define: 'defineTool', idKey: 'name', tests: 'test/tools', membersOnly: false },
  {
    directory: 'src/capabilities',
    define: 'defineCapability',
    idKey: 'name',
    tests: 'test/capabilities',
    membersOnly: false,
  },
];

const kebab = (id: string): string => id.replaceAll(/[_.]/g, '-');

/** `docker/docker-source.ts` in src/sources may be called by its folder or its name. */
const namesOf = (member: string): readonly string[] => [
  member.replace(/^.*\//, '').replace(/\.ts$/, ''),
  ...(dirname(member) === '.' ? [] : [dirname(member)]),
];

const idOf = (text: string, { define, idKey }: Family): string | null => {
  const call = text.search(new RegExp(`= ${define}(<[^(]*>)?\\(`));
  return call === -1 ? null : (text.slice(call).match(new RegExp(`\\b${idKey}: '([^']+)'`))?.[1] ?? null);
};

const problemsOf = (root: string, family: Family): readonly string[] => {
  const { directory, define, membersOnly, tests } = family;
  const files = filesOf(root, (path) => path.startsWith(`${directory}/`) && path.endsWith('.ts'));
  const list = files.find(({ path }) => path === `${directory}/index.ts`)?.text ?? '';
  const tested = filesOf(root, (path) => path.startsWith(`${tests}/`) && path.endsWith('.test.ts')).map(
    ({ path }) => path,
  );
  return files.flatMap(({ path, text }) => {
    const member = path.slice(directory.length + 1);
    const id = idOf(text, family);
    if (member === 'index.ts') return [];
    if (id === null) return membersOnly ? [`${path} has no ${define}`] : [];
    const names = namesOf(member);
    const isTested = names.some((name) =>
      tested.some((each) => each === `${tests}/${name}.test.ts` || each.startsWith(`${tests}/${name}/`)),
    );
    return [
      ...(names.includes(kebab(id)) ? [] : [`${path} defines ${id}, which is not its name`]),
      ...(list.includes(`'./${member}'`) ? [] : [`${path} is not in ${directory}/index.ts`]),
      ...(isTested ? [] : [`${path} has no test ${tests}/${names[0]}.test.ts`]),
    ];
  });
};

test.each(FAMILIES)('everything in $directory is listed, called as its file, and tested', (family) => {
  expect(problemsOf(CHECKOUT, family)).toEqual([]);
});

const [detectors, sources] = FAMILIES as readonly [Family, Family];

test('a detector that is complete has no problem', () => {
  const root = plant({
    'signals/detectors/index.ts': "import { highCpu } from './high-cpu.ts';",
    'signals/detectors/high-cpu.ts': "export const highCpu = defineDetector<'cpu'>({ type: 'high_cpu' });",
    'test/signals/detectors/high-cpu.test.ts': '',
  });
  expect(problemsOf(root, detectors)).toEqual([]);
});

test('a detector that is not listed, called otherwise, or not tested is found', () => {
  const root = plant({
    'signals/detectors/index.ts': '',
    'signals/detectors/high-cpu.ts': "export const highCpu = defineDetector({ type: 'high_load' });",
    'signals/detectors/stray.ts': 'export const stray = 1;',
  });
  expect(problemsOf(root, detectors)).toEqual([
    'signals/detectors/high-cpu.ts defines high_load, which is not its name',
    'signals/detectors/high-cpu.ts is not in signals/detectors/index.ts',
    'signals/detectors/high-cpu.ts has no test test/signals/detectors/high-cpu.test.ts',
    'signals/detectors/stray.ts has no defineDetector',
  ]);
});

test('a source may be a file or a folder with parts of its own, and what is forgotten of it is found', () => {
  const root = plant({
    'src/sources/index.ts': "import { dockerSource } from './docker/source.ts';",
    'src/sources/source.ts': 'export const defineSource = <Config>(definition: Config): Config => definition;',
    'src/sources/docker/source.ts': "export const dockerSource = defineSource({ type: 'docker' });",
    'src/sources/docker/engine.ts': 'export const engine = 1;',
    'src/sources/host/host.ts': "export const hostSource = defineSource({ type: 'host' });",
    'test/sources/docker/engine.test.ts': '',
  });
  expect(problemsOf(root, sources)).toEqual([
    'src/sources/host/host.ts is not in src/sources/index.ts',
    'src/sources/host/host.ts has no test test/sources/host.test.ts',
  ]);
});
