/** docs/tools.md: what a model may call, from the tools themselves. */
import { filingTools, lookingTools } from '../../src/tools/index.ts';
import type { Tool } from '../../src/tools/tool.ts';
import { toolFailures } from '../../src/tools/tool-failure.ts';
import { code, page, sentence, table } from './markdown.ts';
import { settingsOf, shapeOf } from './zod-fields.ts';

const INTRODUCTION = `What a model is offered in a patrol. It reads what the run has surveyed, and can change nothing but findings. No tool
takes an address, a path or a command; whatever names a resource has to be in the inventory.`;

const FORM = `An answer is a line in patrold's words, the names of the columns, and rows of JSON between \`<data …>\` and \`</data>\`:
whatever the infrastructure wrote stands there in quotes, on one line, shortened, without what can't be seen and without
secrets. Readings and logs have evidence ids, which findings cite. What was not observed is a row too, with its reason. A
cursor leads to the next page.`;

const FILING = `A finding needs a resource of the inventory and evidence of this run. A claim is held against what the detectors say of
the same resource: what one raised becomes that finding, with the severity of the data; what it finds clear on fresh readings is
refused with them; what has not lasted long enough is left to the detector, which looks again. A problem that is known in other
words returns the finding that it is.`;

const section = <Context>({ name, description, input }: Tool<Context>): string =>
  [
    `### ${name}`,
    sentence(description),
    table(
      ['argument', 'may be', ''],
      settingsOf(shapeOf(input) ?? {}).map(({ path, may, required, about }) => [
        code(path),
        `${may}${required ? '' : ', optional'}`,
        sentence(about),
      ]),
    ),
  ].join('\n\n');

export const toolsPage = (): string =>
  page(
    'Tools of the model',
    'src/tools/',
    INTRODUCTION,
    FORM,
    '## To look',
    ...lookingTools.map(section),
    '## To file',
    FILING,
    ...filingTools.map(section),
    '## Refusals',
    table(
      ['code', 'meaning'],
      Object.entries(toolFailures).map(([name, meaning]) => [code(name), meaning]),
    ),
  );
