/** What went wrong, and the remedy, for people. */
import { ERROR_CODES, PatroldError } from '../runtime/errors.ts';
import { styled, type Terminal } from './terminal.ts';

export const errorText = (terminal: Pick<Terminal, 'colours'>, error: unknown): string => {
  const head = styled(terminal, ['red', 'bold'], 'error');
  if (!(error instanceof PatroldError)) {
    const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
    return `${head}: ${text}\nThis is a defect of patrold: please report it with the lines above.\n`;
  }
  return `${head}: ${error.message}\n${ERROR_CODES[error.code].remedy} (${error.code})\n`;
};
