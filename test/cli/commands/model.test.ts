import { execFile } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { packageRoot } from '../../../src/runtime/package-root.ts';
import { startChatServer } from '../../support/chat-server.ts';
import { temporaryDirectory } from '../../support/temporary-directory.ts';

const SLOW_MS = 60_000;

const modelCheck = (
  model: object,
  ...flags: readonly string[]
): Promise<{ code: number; stdout: string; stderr: string }> =>
  new Promise((resolve) => {
    const directory = temporaryDirectory();
    const config = join(directory, 'patrold.yaml');
    writeFileSync(config, JSON.stringify({ model }), { mode: 0o600 });
    const argv = [join(packageRoot(), 'src', 'main.ts'), 'model', 'check', ...flags, '--config', config];
    execFile(process.execPath, argv, { env: { ...process.env, NO_COLOR: '1' } }, (error, stdout, stderr) =>
      resolve({ code: error === null ? 0 : Number(error.code), stdout, stderr }),
    );
  });

const server = async () => {
  const started = await startChatServer(
    function* ({ messages, tools }) {
      if (messages.at(-1)?.role === 'user' && tools.length > 0)
        yield { kind: 'call', name: 'report_word', arguments: { word: 'lighthouse' } };
      else yield { kind: 'text', text: 'done' };
    },
    { models: { m: { max_model_len: 65_536 } } },
  );
  onTestFinished(started.close);
  return { provider: 'openai-compatible', baseUrl: started.baseUrl, name: 'm' };
};

test('what was found is one line a question, and what it used', { timeout: SLOW_MS }, async () => {
  const { code, stdout, stderr } = await modelCheck(await server());
  expect(stdout.split('\n').map((line) => line.slice(0, 18).trim())).toEqual([
    'reachable  ok',
    'model      ok',
    'tools      ok',
    'context    ok',
    'price      unknown',
    '',
  ]);
  expect(stderr).toMatch(/^used \d+ tokens of input and \d+ of output\n$/);
  expect(code).toBe(0);
});

test('with --json it is one document, and a failure has its exit code', { timeout: SLOW_MS }, async () => {
  const { code, stdout } = await modelCheck({ ...(await server()), name: 'n' }, '--json');
  expect(JSON.parse(stdout)).toMatchObject({
    ok: false,
    name: 'n',
    results: [{ state: 'ok' }, { name: 'model', state: 'failed' }, {}, {}, {}],
  });
  expect(code).toBe(4);
});

test('no model is a choice', { timeout: SLOW_MS }, async () => {
  expect(await modelCheck({})).toMatchObject({ code: 0, stdout: expect.stringMatching(/patrols run without one/) });
});

test('a key file that is missing is told by its name', { timeout: SLOW_MS }, async () => {
  const { code, stderr } = await modelCheck({ ...(await server()), apiKeyFile: 'nowhere.key' });
  expect(stderr).toMatch(/apiKeyFile .*nowhere\.key can't be read \(ENOENT\)/);
  expect(code).toBe(4);
});
