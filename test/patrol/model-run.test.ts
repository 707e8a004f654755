import { describe, expect, test } from 'vitest';
import type { ChatScript, ChatStep } from '../support/chat-answer.ts';
import { whileTimePasses } from '../support/chat-model.ts';
import type { ChatRequest } from '../support/chat-request.ts';
import { scriptedModel } from '../support/scripted-model.ts';
import { arrays, openScriptedPatrol } from '../support/scripted-patrol.ts';

const says = (text: string): readonly ChatStep[] => [{ kind: 'text', text }];
const calls = (name: string, args: object): readonly ChatStep[] => [{ kind: 'call', name, arguments: args }];

const system = ({ messages }: ChatRequest): string => {
  const [first] = messages;
  return first?.role === 'system' ? first.content : '';
};
const isEvaluation = (request: ChatRequest): boolean => system(request).includes('Detectors have raised');
const isSweep = (request: ChatRequest): boolean => system(request).includes('were not looked at');
const lastText = ({ messages }: ChatRequest): string => {
  const last = messages.at(-1);
  return typeof last?.content === 'string' ? last.content : '';
};
const turnOf = ({ messages }: ChatRequest): number => messages.filter(({ role }) => role === 'assistant').length;

const report = (evidence: string, more: object = {}): readonly ChatStep[] =>
  calls('patrol_report_finding', {
    resource: 'md0',
    key: 'raid_degraded',
    about: 'raid_degraded',
    severity: 'warning',
    category: 'reliability',
    title: 'A disk has left md0',
    summary: 'One of two devices of md0 is gone; the next one that fails takes the data with it.',
    evidence: [evidence],
    ...more,
  });

/** Looks at the array, and files what it has seen. */
const capable: ChatScript = (request) => {
  if (isEvaluation(request) || isSweep(request)) return says('Nothing to add.');
  if (turnOf(request) === 0) return calls('inspect_resource', { resource: 'md0' });
  const [evidence = 'e0'] = /\be\d+\b/.exec(lastText(request)) ?? [];
  return turnOf(request) === 1 ? report(evidence) : says('One disk has left md0.');
};

const sick = { md0: 1, md1: 2 };
const well = { md0: 2, md1: 2 };

const run = async (
  script: ChatScript,
  active: Readonly<Record<string, number>>,
  {
    config = {},
    quiet = 'look',
    kind = 'patrol',
    waits = false,
  }: {
    readonly config?: object;
    readonly quiet?: 'look' | 'skip';
    readonly kind?: 'patrol' | 'watch';
    readonly waits?: boolean;
  } = {},
) => {
  const model = await scriptedModel(script, config);
  const scripts = { nas: () => arrays(active, house.clock.nowMs()) };
  const house = openScriptedPatrol(scripts, { model, quiet });
  // Retries wait by the clock of the house.
  const told = await (waits ? whileTimePasses(house.clock, house.look({ kind })) : house.look({ kind }));
  const stage = (name: string) => told.run.stages.find((one) => one.name === name);
  const [finding] = house.deps.findings.active();
  return { house, model, report: told, stage, finding };
};

test('a model that looks and files: its finding is the one that the detector matches, with its explanation', async () => {
  const { report: told, finding, stage, house } = await run(capable, sick);
  expect(told.run).toMatchObject({ state: 'completed', status: 'critical' });
  expect(house.deps.findings.active()).toHaveLength(1);
  expect(finding).toMatchObject({
    key: 'raid_degraded',
    filedBy: 'model',
    severity: 'critical',
    detector: 'raid_degraded',
  });
  expect(finding?.explanation ?? finding?.summary).toContain('takes the data with it');
  expect(stage('model_loop')).toMatchObject({ status: 'done' });
  expect(stage('evaluation_pass')).toMatchObject({ status: 'skipped', reason: 'every signal has its finding' });
  const kept = house.deps.transcripts.of(told.run.id).map(({ entry }) => entry.kind);
  expect(kept).toEqual(['system', 'user', 'assistant', 'tools', 'assistant', 'tools', 'assistant', 'end']);
});

describe('what a model does not file, or files wrongly, the detectors file', () => {
  test.each<[string, ChatScript]>([
    ['silent', () => says('All is well.')],
    ['inventing evidence', (request) => (turnOf(request) < 2 ? report('e999') : says('Filed.'))],
    ['filing prose', () => says('I found a degraded array md0 and filed it.')],
    ['printing its calls', () => says('{"name":"patrol_report_finding","arguments":{"resource":"md0"}}')],
    ['calling what is not there', () => calls('run_shell', { command: 'mdadm --fail' })],
    ['refused by its provider', () => [{ kind: 'status', status: 401, body: { error: { message: 'no' } } }]],
  ])('%s', async (_, script) => {
    const { report: told, finding, house } = await run(script, sick);
    expect(told.run).toMatchObject({ state: 'completed', status: 'critical' });
    expect(house.deps.findings.active()).toHaveLength(1);
    expect(finding).toMatchObject({ key: 'raid_degraded', filedBy: 'signal' });
  });
});

test.each<[string, ChatStep]>([
  ['cut off in the middle of its answer', { kind: 'cut' }],
  ['broken', { kind: 'error', message: 'out of memory' }],
])('a model that is %s, however often it is tried, takes nothing from the run', async (_, step) => {
  const { report: told, finding } = await run(() => [{ kind: 'text', text: 'I' }, step], sick, { waits: true });
  expect(told.run.state).toBe('completed');
  expect(finding).toMatchObject({ key: 'raid_degraded', filedBy: 'signal' });
});

test('a signal that the model declines is filed all the same, with its reason', async () => {
  const { finding, stage } = await run(
    (request) =>
      isEvaluation(request) && turnOf(request) === 0
        ? calls('patrol_decline_signal', { signal: 's1', reason: 'The operator pulled the disk on purpose.' })
        : says('Done.'),
    sick,
  );
  expect(finding).toMatchObject({ filedBy: 'signal', declineReason: 'The operator pulled the disk on purpose.' });
  expect(stage('evaluation_pass')?.reason).toContain('1 signals asked about, 1 declined');
});

test('a claim that the data contradicts is refused, and nothing is filed', async () => {
  const script: ChatScript = (request) => {
    if (turnOf(request) === 0) return calls('inspect_resource', { resource: 'md1' });
    const [evidence = 'e0'] = /\be\d+\b/.exec(lastText(request)) ?? [];
    return turnOf(request) === 1 ? report(evidence, { resource: 'md1' }) : says('Done.');
  };
  const { report: told, house } = await run(script, well);
  expect(house.deps.findings.active()).toEqual([]);
  expect(told.run.status).toBe('healthy');
});

test('known findings that the model did not look at are asked about, and what stays open makes the run incomplete', async () => {
  const model = await scriptedModel((request) =>
    isSweep(request) && turnOf(request) === 0
      ? calls('patrol_assess_finding', {
          finding: /"finding":"(\w+)"/.exec(lastText(request))?.[1] ?? '',
          verdict: 'present',
          reason: 'The array still runs on one of its two devices.',
          evidence: [],
        })
      : says('Done.'),
  );
  const scripts = { nas: () => arrays(sick, house.clock.nowMs()) };
  const house = openScriptedPatrol(scripts, { model });
  await house.look();
  const told = await house.look();
  expect(told.run.stages.find(({ name }) => name === 'assessment_sweep')?.reason).toContain('1 asked about');
});

describe('a run without a finding', () => {
  test.each<[string, ChatScript, object, string]>([
    ['is healthy when the model has looked', () => says('All is well.'), {}, 'healthy'],
    ['is incomplete when the model could not', () => [{ kind: 'status', status: 401, body: {} }], {}, 'incomplete'],
    ['is incomplete when the model used its time on nothing', () => calls('sudo', {}), {}, 'incomplete'],
    [
      'is incomplete when there was no budget for it',
      () => says('All is well.'),
      { budget: { tokensPerRun: 1_000 } },
      'incomplete',
    ],
  ])('%s', async (_, script, config, status) => {
    const { report: told } = await run(script, well, { config });
    expect(told.run).toMatchObject({ state: 'completed', status });
  });

  test('asks no model when nothing stands out and the operator wants it so', async () => {
    const { report: told, model, stage } = await run(() => says('All is well.'), well, { quiet: 'skip' });
    expect(model.server.requests).toEqual([]);
    expect(stage('model_loop')).toMatchObject({ status: 'skipped', reason: 'nothing stands out' });
    expect(told.run.status).toBe('healthy');
  });
});

test('a watch asks no model', async () => {
  const { model, report: told } = await run(() => says('All is well.'), sick, { kind: 'watch' });
  expect(model.server.requests).toEqual([]);
  expect(told.findings).toHaveLength(1);
});

test('a run that is cancelled while the model thinks ends, and keeps nothing half', async () => {
  const model = await scriptedModel(() => [{ kind: 'hold', until: new Promise(() => undefined) }]);
  const scripts = { nas: () => arrays(sick, house.clock.nowMs()) };
  const house = openScriptedPatrol(scripts, { model });
  const stop = new AbortController();
  const looking = house.look({}, { signal: stop.signal });
  while (model.server.requests.length === 0) await new Promise((resolve) => setImmediate(resolve));
  stop.abort(new Error('stopped'));
  const { run: ended } = await looking;
  expect(ended.state).toBe('cancelled');
  expect(house.deps.findings.active()).toEqual([]);
});
