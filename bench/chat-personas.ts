/** Models as they are met in the field, played by scripts: from one that works well to one that obeys what it reads. */
import type { ChatScript, ChatStep } from '../test/support/chat-answer.ts';
import type { ChatRequest } from '../test/support/chat-request.ts';

export interface Persona {
  readonly name: string;
  readonly script: ChatScript;
}

const says = (text: string): readonly ChatStep[] => [{ kind: 'text', text }];
const call = (name: string, args: object | string): ChatStep => ({ kind: 'call', name, arguments: args });

const textOf = (message: ChatRequest['messages'][number] | undefined): string =>
  typeof message?.content === 'string' ? message.content : '';
const systemOf = ({ messages }: ChatRequest): string => textOf(messages[0]);
const seedOf = ({ messages }: ChatRequest): string => textOf(messages[1]);
const turnOf = ({ messages }: ChatRequest): number => messages.filter(({ role }) => role === 'assistant').length;
const isEvaluation = (request: ChatRequest): boolean => systemOf(request).includes('Detectors have raised');
const isSweep = (request: ChatRequest): boolean => systemOf(request).includes('were not looked at');

interface Line {
  readonly signal?: string;
  readonly finding?: string;
  readonly resource?: string;
  readonly key?: string;
  readonly severity?: string;
  readonly category?: string;
  readonly title?: string;
  readonly summary?: string;
  readonly evidence?: readonly string[];
}

/** The JSON lines of a seed. */
const linesOf = (text: string): readonly Line[] =>
  text
    .split('\n')
    .filter((line) => line.startsWith('{'))
    .map((line) => JSON.parse(line) as Line);

const MOST_CALLS = 12;

const report = (line: Line, more: object = {}): ChatStep =>
  call('patrol_report_finding', {
    resource: line.resource,
    key: line.key ?? 'looks-odd',
    severity: line.severity ?? 'warning',
    category: line.category ?? 'general',
    title: line.title ?? 'Something looks odd here',
    summary: `${line.summary ?? 'It stands out among the others'}; looked at and explained by the model.`,
    evidence: line.evidence ?? [],
    ...more,
  });

const interesting = (request: ChatRequest): readonly Line[] =>
  linesOf(seedOf(request)).filter(({ resource, finding }) => resource !== undefined && finding === undefined);

const assessAll = (request: ChatRequest): readonly ChatStep[] =>
  turnOf(request) > 0
    ? says('Done.')
    : linesOf(seedOf(request))
        .slice(0, MOST_CALLS)
        .map(({ finding = '' }) =>
          call('patrol_assess_finding', {
            finding,
            verdict: 'present',
            reason: 'It is still as it was told.',
            evidence: [],
          }),
        );

/** Looks at what stands out, files each signal that it is asked about, and assesses what is known. */
const capable: ChatScript = (request) => {
  if (isSweep(request)) return assessAll(request);
  if (turnOf(request) > 0) return says('That is all.');
  if (isEvaluation(request))
    return linesOf(seedOf(request))
      .slice(0, MOST_CALLS)
      .map((line) => report(line));
  const looks = interesting(request).slice(0, MOST_CALLS);
  return looks.length === 0
    ? says('All is well.')
    : looks.map(({ resource }) => call('inspect_resource', { resource }));
};

/** Files a problem of its own on everything that stands out, whatever it sees there. */
const filesEverything: ChatScript = (request) => {
  if (isSweep(request) || isEvaluation(request)) return says('Done.');
  const looks = interesting(request).slice(0, MOST_CALLS);
  if (turnOf(request) === 0 && looks.length > 0)
    return looks.map(({ resource }) => call('inspect_resource', { resource }));
  if (turnOf(request) !== 1) return says('Done.');
  return looks.map((line, index) => {
    const results = request.messages.filter(({ role }) => role === 'tool');
    const evidence = /\b[ex][0-9a-f]+\b/.exec(textOf(results[index]))?.[0] ?? 'e1';
    return report(line, { about: 'high_cpu', key: 'high_cpu', evidence: [evidence] });
  });
};

const onEach =
  (steps: (line: Line) => ChatStep): ChatScript =>
  (request) => {
    const looks = interesting(request).slice(0, MOST_CALLS);
    return turnOf(request) > 2 || looks.length === 0 ? says('Done.') : looks.map(steps);
  };

export const personas: readonly Persona[] = [
  { name: 'capable', script: capable },
  { name: 'silent', script: () => says('All is well.') },
  { name: 'files everything', script: filesEverything },
  { name: 'invents evidence', script: onEach((line) => report(line, { evidence: ['e99999', 'x0badf00'] })) },
  { name: 'unknown tools', script: onEach(({ resource }) => call('run_shell', { command: `repair ${resource}` })) },
  {
    name: 'tool call as text',
    script: (request) =>
      says(
        JSON.stringify({
          name: 'inspect_resource',
          arguments: { resource: interesting(request)[0]?.resource ?? 'nas1' },
        }),
      ),
  },
  { name: 'truncated JSON', script: onEach(({ resource }) => call('inspect_resource', `{"resource":"${resource}`)) },
  { name: 'rate limited', script: () => [{ kind: 'status', status: 429, body: { error: { message: 'slow down' } } }] },
  { name: 'broken server', script: () => [{ kind: 'status', status: 500, body: { error: { message: 'oops' } } }] },
  { name: 'loops', script: () => [call('find_resources', {})] },
  {
    name: 'resolves everything',
    script: (request) =>
      turnOf(request) > 0
        ? says('Done.')
        : linesOf(seedOf(request))
            .filter(({ finding }) => finding !== undefined)
            .slice(0, MOST_CALLS)
            .map(({ finding }) =>
              call('patrol_resolve_finding', { finding, reason: 'It was told to be over.', evidence: [] }),
            ),
  },
];
