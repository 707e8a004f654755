/** Surveys of machines that refuse, lie, hang or break. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { CommandResult, CommandRunner } from '../../../src/runtime/command.ts';
import { hostConfigSchema } from '../../../src/sources/host/config.ts';
import { createHostSource } from '../../../src/sources/host/host-source.ts';
import { SURVEY_BUDGET_MS, surveyHost } from '../../../src/sources/host/host-survey.ts';
import { createRecordedCommandRunner } from '../../../src/sources/host/recorded-command-runner.ts';
import { createRecordedRootReader } from '../../../src/sources/host/recorded-root-reader.ts';
import { openRecording } from '../../../src/sources/host/recording.ts';
import type { RootReader, TextRead } from '../../../src/sources/host/root-reader.ts';
import type { Sighting } from '../../../src/sources/source.ts';
import { unaccounted } from '../../support/accounted.ts';
import { createFakeClock } from '../../support/fake-clock.ts';
import { exited } from '../../support/host-context.ts';
import { memoryRoot } from '../../support/memory-root.ts';
import { machineDirectory, RECORDED_AT_MS, whileTimePasses } from '../../support/recorded-machine.ts';
import { sourceDeps, surveyRequest } from '../../support/source-deps.ts';

interface Broken {
  readonly command?: (result: CommandResult, line: string) => CommandResult | Promise<CommandResult>;
  readonly text?: (read: TextRead, path: string) => TextRead | Promise<TextRead>;
}

const survey = async (name: string, { command, text }: Broken): Promise<Sighting> => {
  const clock = createFakeClock(RECORDED_AT_MS);
  const recording = openRecording({
    directory: machineDirectory(name),
    recordedAtMs: RECORDED_AT_MS,
    nowMs: () => clock.nowMs(),
  });
  const whole = createRecordedRootReader(recording);
  const recorded = createRecordedCommandRunner(recording);
  const reader: RootReader = {
    ...whole,
    // One that hangs is tested elsewhere, and takes its time.
    space: (request) =>
      request.mountPoint === '/mnt/backup' ? Promise.resolve({ kind: 'denied' }) : whole.space(request),
    readText: async (path, maxBytes) => {
      const read = await whole.readText(path, maxBytes);
      return text === undefined ? read : text(read, path);
    },
  };
  const runner: CommandRunner = {
    run: async (request) => {
      const result = await recorded.run(request);
      return command === undefined ? result : command(result, [request.file, ...request.args].join(' '));
    },
  };
  const source = createHostSource({
    ...sourceDeps({ clock }),
    id: 'h',
    config: hostConfigSchema.parse({}),
    reader,
    runner,
  });
  return whileTimePasses(clock, source.survey(surveyRequest({ lastSurveyAtMs: RECORDED_AT_MS - 300_000 })));
};

const output =
  (change: (stdout: string) => string) =>
  (result: CommandResult): CommandResult =>
    result.kind === 'exited' ? { ...result, stdout: change(result.stdout) } : result;

describe.each(['nas', 'pve', 'lxc', 'hardened'])('%s accounts for everything when', (name) => {
  test.each<[string, Broken]>([
    ['no command is installed', { command: () => ({ kind: 'not_found' }) }],
    ['no command may be run', { command: () => ({ kind: 'not_permitted' }) }],
    ['every command hangs', { command: () => ({ kind: 'timed_out', timeoutMs: 20_000, stderr: '' }) }],
    ['every command hangs in the kernel', { command: () => ({ kind: 'stuck', count: 2 }) }],
    ['every command is killed', { command: () => ({ kind: 'signalled', signal: 'SIGSEGV', stderr: '' }) }],
    ['every command prints too much', { command: () => ({ kind: 'too_large', maxOutputBytes: 1 }) }],
    ['no command can be started', { command: () => ({ kind: 'failed', reason: 'EAGAIN' }) }],
    ['every command prints nothing', { command: () => exited('') }],
    ['every command fails', { command: () => exited('', 1, 'Permission denied') }],
    ['every command prints nonsense', { command: () => exited('<html>\u0000\ufffd{"report":[]}\n') }],
    ['every command prints empty JSON', { command: () => exited('{}') }],
    ['every output ends in the middle', { command: output((text) => text.slice(0, text.length / 2)) }],
    ['every output is short of its last line', { command: output((text) => text.slice(0, -3)) }],
    ['most of /sys is closed', { text: (read, path) => (path.startsWith('/sys/') ? { kind: 'denied' } : read) }],
    [
      '/sys is full of I/O errors',
      { text: (read, path) => (path.startsWith('/sys/') ? { kind: 'failed', reason: 'EIO' } : read) },
    ],
    [
      'files hold nonsense',
      {
        text: (read, path) => (read.kind === 'read' && path !== '/proc/stat' ? { ...read, text: 'nonsense\n' } : read),
      },
    ],
    [
      'files are empty',
      { text: (read, path) => (read.kind === 'read' && path !== '/proc/stat' ? { ...read, text: '' } : read) },
    ],
    [
      'files end in the middle',
      {
        text: (read, path) =>
          read.kind === 'read' && path !== '/proc/stat'
            ? { ...read, text: read.text.slice(0, read.text.length / 2), cut: true }
            : read,
      },
    ],
  ])('%s', async (_, broken) => {
    const sighting = await survey(name, broken);
    expect(unaccounted(sighting)).toEqual([]);
    expect(sighting.claims[0]).toMatchObject({ ref: 'host', kind: 'host' });
  });
});

test('whatever single command and file are broken, everything is accounted for', { timeout: 60_000 }, async () => {
  const kinds = fc.constantFrom<CommandResult>(
    { kind: 'not_found' },
    exited(''),
    exited('{"pools":{}}'),
    exited('x', 1, 'denied'),
  );
  const broken = fc.record({
    at: fc.nat(20),
    result: kinds,
    cutAt: fc.nat(400),
    fileAt: fc.nat(200),
    fileText: fc.string(),
  });
  await fc.assert(
    fc.asyncProperty(broken, async ({ at, result, cutAt, fileAt, fileText }) => {
      let commands = 0;
      let files = 0;
      const sighting = await survey('pve', {
        command: (answer) => {
          commands += 1;
          return commands === at
            ? result
            : commands === at + 1
              ? output((text) => text.slice(0, cutAt))(answer)
              : answer;
        },
        text: (read, path) => {
          files += 1;
          return files === fileAt && read.kind === 'read' && path !== '/proc/stat' ? { ...read, text: fileText } : read;
        },
      });
      expect(unaccounted(sighting)).toEqual([]);
    }),
    { numRuns: 12 },
  );
});

test('a list that could not be read to its end is not called complete', async () => {
  const sighting = await survey('pve', { command: () => ({ kind: 'timed_out', timeoutMs: 20_000, stderr: '' }) });
  expect(sighting.listed.map(({ kind }) => kind).toSorted()).toEqual(['array', 'disk', 'host', 'pool']);
  expect(sighting.gaps).toContainEqual(expect.objectContaining({ ref: 'host', reads: ['unit'], code: 'timed_out' }));
  expect(sighting.gaps).toContainEqual(
    expect.objectContaining({ ref: 'host', reads: ['filesystem'], code: 'timed_out' }),
  );
});

test('where no machine is to be seen the survey fails, and says where it looked', async () => {
  const clock = createFakeClock();
  const source = createHostSource({
    ...sourceDeps({ clock }),
    id: 'h',
    config: hostConfigSchema.parse({ root: '/host' }),
    reader: memoryRoot({ root: '/host' }),
    runner: { run: async () => ({ kind: 'not_found' }) },
  });
  await expect(source.survey(surveyRequest())).rejects.toMatchObject({
    code: 'source_not_answering',
    message: 'no Linux machine can be seen below /host: /host/proc/stat is absent',
  });
  await expect(source.probe(AbortSignal.timeout(1_000))).rejects.toMatchObject({ code: 'source_not_answering' });
});

describe('time', () => {
  test('runs out for commands that never end, and what was read until then is delivered', async () => {
    const hanging = new Set(['smartctl', 'systemctl', 'journalctl']);
    const clock = createFakeClock(RECORDED_AT_MS);
    const recording = openRecording({
      directory: machineDirectory('nas'),
      recordedAtMs: RECORDED_AT_MS,
      nowMs: () => clock.nowMs(),
    });
    const recorded = createRecordedCommandRunner(recording);
    const runner: CommandRunner = {
      run: (request) =>
        hanging.has(request.file)
          ? new Promise((resolve) => {
              const end = () => resolve({ kind: 'aborted' });
              if (request.signal.aborted) end();
              else request.signal.addEventListener('abort', end, { once: true });
            })
          : recorded.run(request),
    };
    const source = createHostSource({
      ...sourceDeps({ clock }),
      id: 'h',
      config: hostConfigSchema.parse({}),
      reader: createRecordedRootReader(recording),
      runner,
    });
    const work = source.survey(surveyRequest());
    const sighting = await whileTimePasses(clock, work);
    expect(clock.nowMs() - RECORDED_AT_MS).toBeGreaterThanOrEqual(SURVEY_BUDGET_MS);
    expect(clock.nowMs() - RECORDED_AT_MS).toBeLessThan(SURVEY_BUDGET_MS + 5_000);
    expect(unaccounted(sighting)).toEqual([]);
    expect(sighting.gaps).toContainEqual(
      expect.objectContaining({ ref: 'disk:sda', reads: ['smart'], code: 'timed_out' }),
    );
    expect(sighting.readings.some(({ kind }) => kind === 'array')).toBe(true);
    expect(clock.sleeping()).toBe(0);
  });

  test('runs out for a file that never answers, too', async () => {
    const sighting = await survey('nas', {
      text: (read, path) => (path === '/proc/mdstat' ? new Promise<TextRead>(() => undefined) : read),
      command: (result, line) => (line.startsWith('smartctl') ? { kind: 'not_found' } : result),
    });
    expect(sighting.gaps).toContainEqual(expect.objectContaining({ ref: 'host', reads: ['array'], code: 'timed_out' }));
    expect(sighting.claims.some(({ kind }) => kind === 'array')).toBe(false);
    expect(sighting.listed.some(({ kind }) => kind === 'array')).toBe(false);
  });
});

test('a collector that throws is a gap and does not stop the others', async () => {
  const clock = createFakeClock(RECORDED_AT_MS);
  const sighting = await surveyHost(
    {
      ...sourceDeps({ clock }),
      config: hostConfigSchema.parse({}),
      reader: memoryRoot({ files: { '/proc/stat': 'cpu  1 2 3 4\nbtime 5\n' } }),
      runner: { run: async () => ({ kind: 'not_found' }) },
      collectors: [
        { name: 'broken', reads: ['array'], collect: () => Promise.reject(new Error('secret detail')) },
        {
          name: 'fine',
          reads: ['bond'],
          collect: async () => ({
            claims: [],
            additions: [{ ref: 'host', expects: ['bond'], facts: {} }],
            readings: [{ kind: 'bond', name: 'b', members: [], ref: 'host', takenAtMs: 1 }],
            gaps: [],
            listed: [],
          }),
        },
      ],
    },
    surveyRequest(),
  );
  expect(sighting.readings).toHaveLength(1);
  expect(sighting.gaps).toEqual([
    { ref: 'host', reads: ['array'], code: 'failed', reason: 'broken: this is a defect of patrold, see its log' },
  ]);
});
