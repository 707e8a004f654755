/** Where the CLI writes, and what that place can show. */
import { styleText } from 'node:util';

export interface Terminal {
  /** Results: what a pipe wants. */
  out(text: string): void;
  /** Progress, notes and errors. */
  err(text: string): void;
  /** Whether a person watches `err`: progress may be redrawn. */
  readonly isInteractive: boolean;
  readonly columns: number;
  readonly colours: boolean;
  /** IANA zone of the reader. */
  readonly timeZone: string;
}

/** Where the width can't be known: what fits a small window and a mail. */
export const DEFAULT_COLUMNS = 100;

export interface TerminalInput {
  readonly stdout: NodeJS.WriteStream;
  readonly stderr: NodeJS.WriteStream;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** `--no-color` or `--color`; null: by what the terminal is. */
  readonly colour: boolean | null;
}

/** no-color.org: any non-empty NO_COLOR switches colours off; FORCE_COLOR switches them on for a pipe. */
const wantsColour = ({ stdout, env, colour }: TerminalInput): boolean => {
  if (colour !== null) return colour;
  if ((env['NO_COLOR'] ?? '') !== '') return false;
  const forced = env['FORCE_COLOR'];
  if (forced !== undefined) return forced !== '0' && forced !== 'false';
  return stdout.isTTY === true && env['TERM'] !== 'dumb';
};

const widthOf = ({ stdout, env }: TerminalInput): number => {
  const given = Number(env['COLUMNS']);
  if (Number.isInteger(given) && given >= 20) return given;
  return stdout.isTTY === true && stdout.columns > 0 ? stdout.columns : DEFAULT_COLUMNS;
};

export const createTerminal = (input: TerminalInput): Terminal => ({
  out: (text) => {
    input.stdout.write(text);
  },
  err: (text) => {
    input.stderr.write(text);
  },
  isInteractive: input.stderr.isTTY === true && input.env['TERM'] !== 'dumb' && (input.env['CI'] ?? '') === '',
  columns: widthOf(input),
  colours: wantsColour(input),
  timeZone: new Intl.DateTimeFormat().resolvedOptions().timeZone,
});

export type Style = Parameters<typeof styleText>[0];

export const styled = ({ colours }: Pick<Terminal, 'colours'>, style: Style, text: string): string =>
  colours ? styleText(style, text, { validateStream: false }) : text;
