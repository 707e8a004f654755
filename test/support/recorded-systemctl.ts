/** Real commands, except `systemctl`, which answers as a test says: no systemd runs where tests do. */
import { type CommandRunner, createCommandRunner } from '../../src/runtime/command.ts';

export type Units = Readonly<Record<string, string>>;

/** As `systemctl show` answers of a unit that it does not know. */
const notFound = (name: string): string =>
  `Id=${name}\nLoadState=not-found\nActiveState=inactive\nSubState=dead\nResult=success\nUnitFileState=\n`;

export const withSystemctl = (units: () => Units): CommandRunner => {
  const real = createCommandRunner();
  return {
    run: async (request) => {
      if (request.file !== 'systemctl') return real.run(request);
      const name = request.args.at(-1) ?? '';
      return { kind: 'exited', code: 0, stdout: units()[name] ?? notFound(name), stderr: '' };
    },
  };
};
