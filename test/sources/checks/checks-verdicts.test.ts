import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { checksConfigSchema } from '../../../src/sources/checks/checks-config.ts';
import { checksSource } from '../../../src/sources/checks/checks-source.ts';
import { type CertificateLab, createCertificateLab, type ServedFiles } from '../../support/certificate-lab.ts';
import { createFakeClock } from '../../support/fake-clock.ts';
import { createJudge } from '../../support/judge-sighting.ts';
import { startScriptedServer } from '../../support/scripted-server.ts';
import { sourceDeps, surveyRequest } from '../../support/source-deps.ts';
import { hasOpenssl } from '../../support/tls-files.ts';

const MINUTE_MS = 60_000;

/** One daemon that looks at the same checks again and again. */
const daemon = (entries: readonly object[]) => {
  const clock = createFakeClock(Date.now());
  const deps = sourceDeps({ clock });
  const source = checksSource.create('checks', checksConfigSchema.parse(entries), deps);
  const judge = createJudge();
  return async (waitMs = 5 * MINUTE_MS) => {
    await clock.advance(waitMs);
    return judge.judge(await source.survey(surveyRequest({ paces: ['fast'] })), clock.nowMs(), null).states;
  };
};

describe('checks, judged', () => {
  it('call an endpoint unreachable when it is silent twice, and no longer when it answers', async () => {
    let status = 200;
    const server = await startScriptedServer((_request, response) => response.writeHead(status).end());
    onTestFinished(() => server.close());
    const look = daemon([{ name: 'web', http: server.url }]);
    expect(await look()).toEqual({ 'web guest_unreachable': 'clear' });
    status = 500;
    expect(await look()).toEqual({ 'web guest_unreachable': 'unobserved:confirming' });
    expect(await look()).toEqual({ 'web guest_unreachable': 'raised:warning' });
    status = 200;
    expect(await look()).toEqual({ 'web guest_unreachable': 'clear' });
  });

  it('do not judge what this side could not ask, whatever was raised before', async () => {
    const look = daemon([
      { name: 'odd', tcp: '[ff02::1%lo]:1' },
      { name: 'web', http: (await start()).url },
    ]);
    expect(await look()).toEqual({
      'odd check_failed': 'unobserved:unreachable',
      'odd guest_unreachable': 'unobserved:unreachable',
      'web guest_unreachable': 'clear',
    });
  });
});

const start = async () => {
  const server = await startScriptedServer((_request, response) => response.end('ok'));
  onTestFinished(() => server.close());
  return server;
};

describe.skipIf(!hasOpenssl())('certificates of checks, judged (needs openssl)', () => {
  let lab: CertificateLab;
  beforeAll(() => {
    lab = createCertificateLab();
  });
  afterAll(() => lab.remove());

  const judged = async (files: ServedFiles, settings: object = { caFile: lab.caFile }): Promise<unknown> => {
    const server = await startScriptedServer((_request, response) => response.end('ok'), { tls: files });
    onTestFinished(() => server.close());
    return (await daemon([{ name: 'web', http: server.url, ...settings }])())['web certificate_expiring:web'];
  };

  it.each([
    ['long', { endDays: 80 }, 'clear'],
    ['near', { startDays: -70, endDays: 10 }, 'raised:warning'],
    ['last', { startDays: -70, endDays: 2 }, 'raised:critical'],
    ['over', { startDays: -70, endDays: -1 }, 'raised:critical'],
    ['early', { startDays: 2, endDays: 80 }, 'raised:critical'],
    ['misnamed', { endDays: 80, altNames: 'DNS:elsewhere.example' }, 'raised:critical'],
  ] as const)('a %s one is %j: %s', async (name, options, state) => {
    expect(await judged(lab.issue(name, options))).toBe(state);
  });

  it('a self-signed one is refused unless it is accepted', async () => {
    const files = lab.selfSigned('own');
    expect(await judged(files, {})).toBe('raised:critical');
    expect(await judged(files, { insecure: true })).toBe('clear');
  });

  it('what was raised stays while the server is down', async () => {
    const files = lab.issue('then-down', { startDays: -70, endDays: 2 });
    const server = await startScriptedServer((_request, response) => response.end('ok'), { tls: files });
    const look = daemon([{ name: 'web', http: server.url, caFile: lab.caFile }]);
    expect((await look())['web certificate_expiring:web']).toBe('raised:critical');
    await server.close();
    expect((await look())['web certificate_expiring:web']).toBe('unobserved:not_answering');
  });
});
