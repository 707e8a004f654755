import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import type { FinishedCall, RequestedCall } from '../../../src/tools/pipeline/call.ts';
import { CALLS_A_TURN } from '../../../src/tools/pipeline/check-calls.ts';
import { TOOLS_AT_ONCE } from '../../../src/tools/pipeline/execute-calls.ts';
import type { Gate } from '../../../src/tools/pipeline/gate.ts';
import { createLongResults } from '../../../src/tools/pipeline/long-results.ts';
import { createRepeatGate } from '../../../src/tools/pipeline/repeat-gate.ts';
import { runToolCalls, type ToolPipeline } from '../../../src/tools/pipeline/run-tool-calls.ts';
import { defineTool, type Tool, type ToolOutcome } from '../../../src/tools/tool.ts';

interface Yard {
  readonly begun: string[];
  running: number;
  peak: number;
  /** Ticks of the event loop that a call takes. */
  readonly ticksOf: (id: number) => number;
}

const ok = (text: string): ToolOutcome => ({ kind: 'ok', text, evidence: [], touched: [] });

const tick = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

const tool = (name: string, more: Partial<Tool<Yard, { id: number }>> = {}): Tool<Yard> =>
  defineTool<Yard, { id: number }>({
    name,
    effect: 'read',
    description: name,
    input: z.strictObject({ id: z.int() }),
    timeoutMs: 1_000,
    run: async ({ id }, yard) => {
      yard.begun.push(`${name} ${id}`);
      yard.running += 1;
      yard.peak = Math.max(yard.peak, yard.running);
      for (let count = yard.ticksOf(id); count > 0; count -= 1) await tick();
      yard.running -= 1;
      if (id % 7 === 3) throw new Error('a bug');
      return id % 5 === 4
        ? { kind: 'error', error: { code: 'resource_not_found', message: 'no such thing' } }
        : ok(`${name} ${id}`);
    },
    ...more,
  }) as Tool<Yard>;

const TOOLS = [
  tool('look'),
  tool('patrol_get_findings'),
  tool('patrol_report_finding', { effect: 'write', changes: 'findings' }),
  tool('restart', { effect: 'write', changes: 'infrastructure' }),
];

const call = (name: string, args: unknown, id: string): RequestedCall => ({ id, name, arguments: args });

interface Ran {
  readonly finished: readonly FinishedCall[];
  readonly yard: Yard;
  readonly thrown: number;
}

const run = async (
  calls: readonly RequestedCall[],
  ticksOf: Yard['ticksOf'] = () => 1,
  {
    tools = TOOLS,
    gates = [],
    signal = new AbortController().signal,
  }: {
    readonly tools?: readonly Tool<Yard>[];
    readonly gates?: readonly Gate<Yard>[];
    readonly signal?: AbortSignal;
  } = {},
): Promise<Ran> => {
  const yard: Yard = { begun: [], running: 0, peak: 0, ticksOf };
  let thrown = 0;
  const pipeline: ToolPipeline<Yard> = {
    tools: new Map(tools.map((one) => [one.name, one])),
    gates,
    context: yard,
    clock: { monotonicMs: () => 0 },
    longResults: createLongResults(16_000),
    onBegin: () => undefined,
    onEnd: () => undefined,
    onThrow: () => {
      thrown += 1;
    },
  };
  return { finished: await runToolCalls(pipeline, calls, signal), yard, thrown };
};

const codes = ({ finished }: Ran): readonly (string | null)[] =>
  finished.map(({ outcome }) => (outcome.kind === 'ok' ? null : outcome.error.code));

const batch = fc.array(
  fc.record({
    name: fc.constantFrom('look', 'patrol_get_findings', 'patrol_report_finding', 'restart', 'no_such_tool'),
    id: fc.integer({ min: 0, max: 20 }),
    ticks: fc.integer({ min: 0, max: 5 }),
    broken: fc.boolean(),
  }),
  { maxLength: 24 },
);

test('over random batches: one result a call, in order, four at once at most, the same however they interleave', async () => {
  await fc.assert(
    fc.asyncProperty(batch, fc.integer(), async (wanted, salt) => {
      const calls = wanted.map(({ name, id, broken }, index) =>
        broken && id % 3 === 0
          ? { ...call(name, null, `c${index}`), malformed: '{"id":' }
          : call(name, { id }, `c${index}`),
      );
      const ticks = new Map(wanted.map(({ id, ticks: count }) => [id, count]));
      const first = await run(calls, (id) => ticks.get(id) ?? 0, { gates: [createRepeatGate()] });
      const second = await run(calls, (id) => (id * 31 + salt) & 3, { gates: [createRepeatGate()] });
      expect(first.finished.map((one) => one.call.id)).toEqual(calls.map(({ id }) => id));
      expect(first.yard.peak).toBeLessThanOrEqual(TOOLS_AT_ONCE);
      expect(first.yard.running).toBe(0);
      expect(second.finished.map(({ text, refused }) => [text, refused])).toEqual(
        first.finished.map(({ text, refused }) => [text, refused]),
      );
    }),
    { numRuns: 200 },
  );
});

describe('calls run one after the other, in the order they were made', () => {
  test.each([
    ['where one changes the infrastructure', ['look', 'restart', 'look', 'look']],
    ['where findings are read and changed', ['patrol_get_findings', 'patrol_report_finding', 'patrol_get_findings']],
  ])('%s', async (_, names) => {
    const calls = names.map((name, index) => call(name, { id: index }, `c${index}`));
    const { yard } = await run(calls, (id) => 5 - id);
    expect(yard.peak).toBe(1);
    expect(yard.begun).toEqual(names.map((name, index) => `${name} ${index}`));
  });

  test('and beside each other elsewhere', async () => {
    const calls = Array.from({ length: 8 }, (_, index) => call('look', { id: index * 35 }, `c${index}`));
    expect((await run(calls, () => 3)).yard.peak).toBe(TOOLS_AT_ONCE);
  });
});

test.each<[string, RequestedCall, string]>([
  ['of a tool that is not offered', call('rm_rf', { id: 1 }, 'c'), 'capability_not_found'],
  ['with arguments that are no JSON', { ...call('look', null, 'c'), malformed: '{"id": 1' }, 'invalid_arguments'],
  ['with arguments of another shape', call('look', { id: 'one' }, 'c'), 'invalid_arguments'],
  ['with more than was asked for', call('look', { id: 1, path: '/etc/shadow' }, 'c'), 'invalid_arguments'],
  ['with none', call('look', undefined, 'c'), 'invalid_arguments'],
])('a call %s is refused and says what would be right', async (_, wrong, code) => {
  const ran = await run([wrong, call('look', { id: 1 }, 'd')]);
  expect(codes(ran)).toEqual([code, null]);
  expect(ran.finished[0]?.refused).toBe(true);
  expect(JSON.parse(ran.finished[0]?.text ?? '')).toMatchObject({
    error: code,
    message: expect.stringMatching(/\w{3}/),
  });
});

test('more calls than one turn may hold are refused, not lost', async () => {
  const calls = Array.from({ length: CALLS_A_TURN + 3 }, (_, index) => call('look', { id: index * 35 }, `c${index}`));
  expect(codes(await run(calls)).slice(-4)).toEqual([null, 'too_many_calls', 'too_many_calls', 'too_many_calls']);
});

test('the same call is refused the fourth time, in one turn or over several, whatever the order of its arguments', async () => {
  const wide = tool('wide', { input: z.looseObject({ id: z.int() }) as never });
  const gates = [createRepeatGate<Yard>()];
  const twice = [call('wide', { id: 1, a: 1, b: 2 }, 'c1'), call('wide', { b: 2, a: 1, id: 1 }, 'c2')];
  const options = { tools: [wide], gates };
  expect(codes(await run(twice, () => 0, options))).toEqual([null, null]);
  expect(codes(await run(twice, () => 0, options))).toEqual([null, 'loop_detected']);
  expect(codes(await run([call('wide', { id: 2 }, 'c')], () => 0, options))).toEqual([null]);
});

test('a gate sees the calls that were accepted before it in the same turn', async () => {
  let held = false;
  const once: Gate<Yard> = {
    check: ({ tool: { name } }) =>
      held && name === 'restart' ? { code: 'fsm_blocked', message: 'one at a time' } : null,
    accepted: ({ tool: { name } }) => {
      if (name === 'restart') held = true;
    },
  };
  const calls = ['restart', 'look', 'restart'].map((name, index) => call(name, { id: index * 35 }, `c${index}`));
  expect(codes(await run(calls, () => 0, { gates: [once] }))).toEqual([null, null, 'fsm_blocked']);
});

test('a tool that throws, or never ends, is a result, and the others run', async () => {
  const never = tool('never', { timeoutMs: 20, run: () => new Promise(() => undefined) });
  const ran = await run(
    [call('look', { id: 3 }, 'a'), call('never', { id: 1 }, 'b'), call('look', { id: 1 }, 'c')],
    () => 0,
    {
      tools: [...TOOLS, never],
    },
  );
  expect(codes(ran)).toEqual(['tool_failed', 'timed_out', null]);
  expect(ran.thrown).toBe(1);
  expect(ran.finished[0]?.text).not.toContain('a bug');
});

test('what a cancelled run had not begun is not run', async () => {
  const abort = new AbortController();
  const stops = tool('stops', {
    run: async (_input, yard) => {
      yard.begun.push('stops');
      abort.abort();
      return ok('stopped');
    },
  });
  const calls = [
    call('stops', { id: 0 }, 'a'),
    ...Array.from({ length: 6 }, (_, index) => call('restart', { id: index * 35 }, `c${index}`)),
  ];
  const ran = await run(calls, () => 0, { tools: [...TOOLS, stops], signal: abort.signal });
  expect(ran.yard.begun).toEqual(['stops']);
  expect(
    codes(ran)
      .slice(1)
      .every((code) => code === 'cancelled'),
  ).toBe(true);
});
