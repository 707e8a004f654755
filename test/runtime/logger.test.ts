import { spawnSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { createLogger, LOG_LEVELS, type LogLevel } from '../../src/runtime/logger.ts';
import { createSecret } from '../../src/runtime/secret.ts';

const VALUE = 'hunter2-hunter2';

const logTo = (level: LogLevel) => {
  const lines: string[] = [];
  const logger = createLogger({
    level,
    clock: { nowMs: () => 1_700_000_000_000 },
    stream: { write: (line) => lines.push(line) },
  });
  return { logger, lines, entries: () => lines.map((line): unknown => JSON.parse(line)) };
};

test('a line is a constant message plus an object, with the level by name and the time of the given clock', () => {
  const { logger, entries } = logTo('info');
  logger.child({ component: 'patrol' }).info({ runId: 'r1' }, 'run completed');
  expect(entries()).toEqual([
    { level: 'info', time: 1_700_000_000_000, component: 'patrol', runId: 'r1', msg: 'run completed' },
  ]);
});

test.each(LOG_LEVELS)('at level %s nothing less important is written', (level) => {
  const { logger, lines } = logTo(level);
  for (const each of ['error', 'warn', 'info', 'debug'] as const) logger[each]('message');
  expect(lines).toHaveLength(LOG_LEVELS.indexOf(level));
});

test('a secret is redacted wherever it is in a line', () => {
  const { logger, lines } = logTo('info');
  logger.info({ any: { deep: { name: createSecret(VALUE) } } }, 'message');
  expect(lines.join()).toContain('[redacted]');
  expect(lines.join()).not.toContain(VALUE);
});

test('values under the names of credentials are redacted at the top and two levels down', () => {
  const { logger, lines } = logTo('info');
  logger.info({ token: VALUE, headers: { Authorization: VALUE }, request: { headers: { cookie: VALUE } } }, 'message');
  logger.info({ source: { tokenSecret: VALUE, password: VALUE } }, 'message');
  expect(lines.join()).not.toContain(VALUE);
});

test('the cause of an error is logged with it', () => {
  const { logger, entries } = logTo('info');
  logger.error({ err: new Error('outer', { cause: new Error('inner') }) }, 'failed');
  expect(JSON.stringify(entries())).toContain('inner');
});

test('lines go to stderr unless another place is given, and none is lost when the process ends at once', () => {
  const script = `
    import { createLogger } from ${JSON.stringify(new URL('../../src/runtime/logger.ts', import.meta.url).href)};
    createLogger({ level: 'info', clock: { nowMs: () => 1 } }).error('last words');
    process.kill(process.pid, 'SIGKILL');`;
  const child = spawnSync(process.execPath, ['--input-type=module', '-e', script], { encoding: 'utf8' });
  expect(child.stdout).toBe('');
  expect(JSON.parse(child.stderr)).toEqual({ level: 'error', time: 1, msg: 'last words' });
});
