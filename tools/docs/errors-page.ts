/** docs/errors.md: every stable code, from where it is declared. */
import { API_ERRORS } from '../../src/capabilities/api-errors.ts';
import { ERROR_CODES } from '../../src/runtime/errors.ts';
import { code, page, table } from './markdown.ts';

const INTRODUCTION = `A code is never renamed and never means another thing. The message beside it says what happened in this case.`;

const COMMANDS = `Commands end with the message, the remedy, and the code in brackets; the log carries it as \`err.code\`. The exit code is 2
where the usage or the config is at fault, and 4 otherwise.`;

const HTTP = `Over HTTP a failure is \`{ "error": "<code>", "message": "…", "details": { … } }\`. Which of them a request can be answered
with is in \`GET /api/agent/capabilities\`.`;

export const errorsPage = (): string =>
  page(
    'Error codes',
    'src/runtime/errors.ts and src/capabilities/api-errors.ts',
    INTRODUCTION,
    '## Of commands and of the daemon',
    COMMANDS,
    table(
      ['code', 'meaning', 'what to do'],
      Object.entries(ERROR_CODES).map(([name, { meaning, remedy }]) => [code(name), meaning, remedy]),
    ),
    '## Over HTTP',
    HTTP,
    table(
      ['code', 'status', 'meaning'],
      Object.entries(API_ERRORS).map(([name, { status, meaning }]) => [code(name), `${status}`, meaning]),
    ),
  );
