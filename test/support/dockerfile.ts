/** Reads a Dockerfile into its stages and instructions. */
export interface Instruction {
  /** `COPY`, in capitals. */
  readonly name: string;
  /** What follows, with continued lines joined. */
  readonly rest: string;
}

export interface Stage {
  readonly base: string;
  readonly alias: string | null;
  readonly instructions: readonly Instruction[];
}

const withoutComments = (text: string): string =>
  text
    .split('\n')
    .filter((line) => !/^\s*#/.test(line))
    .join('\n');

export const parseDockerfile = (text: string): readonly Stage[] => {
  const lines = withoutComments(text)
    .replaceAll(/\\\n\s*/g, '')
    .split('\n')
    .filter((line) => line.trim() !== '');
  const stages: { base: string; alias: string | null; instructions: Instruction[] }[] = [];
  for (const line of lines) {
    const [, name = '', rest = ''] = /^(\w+)\s+(.*)$/.exec(line.trim()) ?? [];
    if (name.toUpperCase() !== 'FROM') {
      stages.at(-1)?.instructions.push({ name: name.toUpperCase(), rest });
      continue;
    }
    const [base = '', , alias = null] = rest.split(/\s+/);
    stages.push({ base, alias, instructions: [] });
  }
  return stages;
};

export interface Copy {
  /** Alias of the stage that it is taken from; null: from the build context. */
  readonly from: string | null;
  readonly sources: readonly string[];
  readonly target: string;
}

export const copiesOf = ({ instructions }: Stage): readonly Copy[] =>
  instructions
    .filter(({ name }) => name === 'COPY')
    .map(({ rest }) => {
      const words = rest.split(/\s+/);
      const from = words.find((word) => word.startsWith('--from='))?.slice('--from='.length) ?? null;
      const paths = words.filter((word) => !word.startsWith('--'));
      return { from, sources: paths.slice(0, -1), target: paths.at(-1) ?? '' };
    });
