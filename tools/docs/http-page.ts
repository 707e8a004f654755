/** docs/http.md: what the daemon answers, from the capabilities. */
import { capabilities } from '../../src/capabilities/index.ts';
import { code, page, sentence, table } from './markdown.ts';
import { settingsOf } from './zod-fields.ts';

const INTRODUCTION = `The daemon answers on \`http.listen\`, by default \`http://127.0.0.1:7790\`. \`/healthz\` (it lives), \`/readyz\` (it can work:
migrated, scheduled, store writable) and the manifest are open; the rest asks for a token with the scope that it names.
The first start makes a token with every right and logs where it is: \`token\` in the data directory. \`patrold token create\`
makes others.

\`\`\`sh
curl -H "Authorization: Bearer $(sudo cat /var/lib/patrold/token)" http://127.0.0.1:7790/api/findings
\`\`\`

\`GET /api/agent/capabilities\` says all of this to a program: JSON Schemas of what goes in and what comes out, and every
error code that can be answered.`;

const inputTable = (shape: Parameters<typeof settingsOf>[0]): readonly string[] => {
  const settings = settingsOf(shape);
  if (settings.length === 0) return [];
  const rows = settings.map(({ path, may, byDefault, about }) => [code(path), may, byDefault ?? '', sentence(about)]);
  return [table(['parameter', 'may be', 'default', 'meaning'], rows)];
};

export const httpPage = (): string =>
  page(
    'Over HTTP',
    'src/capabilities/',
    INTRODUCTION,
    ...capabilities.map(({ title, description, method, path, scope, input, errors }) =>
      [
        `## ${title}`,
        `${code(`${method} ${path}`)}, ${scope === 'open' ? 'open' : `scope ${code(scope)}`}`,
        sentence(description),
        ...inputTable(input.shape),
        ...(errors.length === 0 ? [] : [`Can fail with ${errors.map(code).join(', ')}.`]),
      ].join('\n\n'),
    ),
  );
