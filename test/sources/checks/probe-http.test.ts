import type { ServerResponse } from 'node:http';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { toCheck } from '../../../src/sources/checks/check.ts';
import { checksConfigSchema } from '../../../src/sources/checks/checks-config.ts';
import type { CheckOutcome } from '../../../src/sources/checks/outcome.ts';
import { probeHttp } from '../../../src/sources/checks/probe-http.ts';
import { type CertificateLab, createCertificateLab, type ServedFiles } from '../../support/certificate-lab.ts';
import { startRawServer, startScriptedServer } from '../../support/scripted-server.ts';
import { hasOpenssl } from '../../support/tls-files.ts';

const DAY_MS = 86_400_000;
type Settings = Readonly<Record<string, unknown>>;

const probe = async (http: string, settings: Settings = {}): Promise<CheckOutcome> => {
  const [check] = checksConfigSchema.parse([{ name: 'it', http, timeout: '2s', ...settings }]).map(toCheck);
  if (check?.kind !== 'http') throw new Error('not an HTTP check');
  return probeHttp(check, Date.now(), AbortSignal.timeout(20_000));
};

const serve = async (answer: (response: ServerResponse) => void, tls?: ServedFiles): Promise<string> => {
  const server = await startScriptedServer((_request, response) => answer(response), tls === undefined ? {} : { tls });
  onTestFinished(() => server.close());
  return server.url;
};

const ok = (response: ServerResponse): void => {
  response.end('all is well');
};

describe('probeHttp', () => {
  it('takes a success as an answer, with how long it took', async () => {
    const { probe: seen, certificate } = await probe(`${await serve(ok)}/health?full=1`);
    expect(seen).toEqual({ kind: 'answered', latencyMs: expect.any(Number) });
    expect(certificate).toBeNull();
  });

  it.each([
    [200, 500, undefined, 'answers with status 500, expected is 2xx'],
    [401, 401, undefined, 'answers with status 401, expected is 2xx'],
    [204, 200, 204, 'answers with status 200, expected is 204'],
  ])('expects %i-like and says so of %i', async (_wanted, status, expectStatus, message) => {
    const url = await serve((response) => response.writeHead(status).end());
    const { probe: seen } = await probe(url, expectStatus === undefined ? {} : { expectStatus });
    expect(seen).toMatchObject({ kind: 'not_answered', reason: expect.stringContaining(message) });
  });

  it('takes any status that the operator expects', async () => {
    const url = await serve((response) => response.writeHead(401).end());
    expect((await probe(url, { expectStatus: [200, 401] })).probe.kind).toBe('answered');
  });

  it('does not follow redirects, says where they lead, and takes them where they are expected', async () => {
    const url = await serve((response) =>
      response.writeHead(302, { location: 'https://example.org/login?token=s3cret' }).end(),
    );
    const { probe: seen } = await probe(url);
    expect(seen).toMatchObject({
      kind: 'not_answered',
      reason: expect.stringContaining('redirects to https://example.org (302)'),
    });
    expect(JSON.stringify(seen)).not.toContain('s3cret');
    expect((await probe(url, { expectStatus: '3xx' })).probe.kind).toBe('answered');
  });

  it('looks for the expected text', async () => {
    const url = await serve(ok);
    expect((await probe(url, { expectBody: 'is well' })).probe.kind).toBe('answered');
    expect((await probe(url, { expectBody: 'is ill' })).probe).toMatchObject({
      reason: expect.stringContaining('not with the expected text'),
    });
  });

  it('sends the method and the headers that are configured', async () => {
    const server = await startScriptedServer((_request, response) => ok(response));
    onTestFinished(() => server.close());
    await probe(`${server.url}/a?b=c`, { method: 'HEAD', headers: { 'X-Token': 's3cret' } });
    expect(server.requests[0]).toMatchObject({ method: 'HEAD', url: '/a?b=c' });
    expect(server.requests[0]?.headers['x-token']).toBe('s3cret');
  });

  it('does not mind an answer that is larger than it reads, unless a text is expected in it', async () => {
    const url = await serve((response) => {
      response.write(Buffer.alloc(2_000_000));
      response.end();
    });
    expect((await probe(url)).probe).toEqual({ kind: 'answered', latencyMs: null });
    expect((await probe(url, { expectBody: 'x' })).probe.kind).toBe('not_answered');
  });

  it('tells refused, reset, silence, a slow drip and nonsense apart', async () => {
    const raw = async (onSocket: Parameters<typeof startRawServer>[0]): Promise<string> => {
      const server = await startRawServer(onSocket);
      onTestFinished(() => server.close());
      return server.url;
    };
    const closed = await startRawServer(() => undefined);
    await closed.close();
    const reasonAt = async (url: string): Promise<string> => {
      const { probe: seen } = await probe(url, { timeout: '500ms' });
      return seen.kind === 'not_answered' ? seen.reason : seen.kind;
    };
    expect(await reasonAt(closed.url)).toContain('ECONNREFUSED');
    expect(await reasonAt(await raw((socket) => socket.once('data', () => socket.resetAndDestroy())))).toContain(
      'ECONNRESET',
    );
    expect(await reasonAt(await raw(() => undefined))).toContain('did not answer within 500 ms');
    const drip = await raw((socket) => {
      socket.write('HTTP/1.1 200 OK\r\n\r\n');
      const timer = setInterval(() => socket.write('.'), 50);
      socket.on('close', () => clearInterval(timer));
    });
    expect(await reasonAt(drip)).toContain('began to answer with status 200, but did not finish within 500 ms');
    const dripHead = await raw((socket) => {
      const timer = setInterval(() => socket.write('H'), 50);
      socket.on('close', () => clearInterval(timer));
    });
    expect(await reasonAt(dripHead)).toMatch(/did not answer within|does not speak HTTP/);
    expect(await reasonAt(await raw((socket) => socket.write('SSH-2.0-OpenSSH_9.2\r\n')))).toContain(
      'does not speak HTTP',
    );
    expect(
      await reasonAt(await raw((socket) => socket.end('HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nhalf'))),
    ).toContain('broke off');
  });

  it('says that a plain port does not speak TLS', async () => {
    const url = (await serve(ok)).replace('http:', 'https:');
    const { probe: seen, certificate } = await probe(url);
    expect(seen).toMatchObject({ kind: 'not_answered', reason: expect.stringContaining('TLS handshake') });
    expect(certificate).toMatchObject({ kind: 'unknown', code: 'not_answering' });
  });
});

describe.skipIf(!hasOpenssl())('probeHttp over TLS (needs openssl)', () => {
  let lab: CertificateLab;
  beforeAll(() => {
    lab = createCertificateLab();
  });
  afterAll(() => lab.remove());

  const certificateOf = async (files: ServedFiles, settings: Settings = {}, answer = ok) => {
    const outcome = await probe(await serve(answer, files), settings);
    return { ...outcome, seen: outcome.certificate?.kind === 'seen' ? outcome.certificate.certificate : null };
  };

  it('accepts a certificate of a named CA, and tells its dates', async () => {
    const { probe: seen, seen: certificate } = await certificateOf(lab.issue('good'), { caFile: lab.caFile });
    expect(seen.kind).toBe('answered');
    expect(certificate).toMatchObject({ kind: 'certificate', invalidReason: null, renewsItself: false });
    expect((certificate?.notAfterMs ?? 0) - Date.now()).toBeGreaterThan(29 * DAY_MS);
    expect(Date.now() - (certificate?.notBeforeMs ?? 0)).toBeGreaterThan(0);
  });

  it('tells the end of one that is about to expire', async () => {
    const { seen } = await certificateOf(lab.issue('near', { endDays: 2 }), { caFile: lab.caFile });
    expect(seen?.invalidReason).toBeNull();
    expect((seen?.notAfterMs ?? 0) - Date.now()).toBeLessThan(2 * DAY_MS + 60_000);
  });

  it.each([
    ['expired', { startDays: -10, endDays: -1 }, -1],
    ['not valid yet', { startDays: 5, endDays: 30 }, 30],
  ] as const)('lets the dates speak for one that is %s, and still asks', async (title, options, endDays) => {
    const { probe: seen, seen: certificate } = await certificateOf(lab.issue(title.replaceAll(' ', '-'), options), {
      caFile: lab.caFile,
    });
    expect(seen.kind).toBe('answered');
    expect(certificate?.invalidReason).toBeNull();
    expect(Math.abs((certificate?.notAfterMs ?? 0) - Date.now() - endDays * DAY_MS)).toBeLessThan(60_000);
    expect(Math.abs((certificate?.notBeforeMs ?? 0) - Date.now() - options.startDays * DAY_MS)).toBeLessThan(60_000);
  });

  it('says of a self-signed one that it is, unless it is pinned, named or accepted', async () => {
    const files = lab.selfSigned('own');
    const plain = await certificateOf(files);
    expect(plain.probe.kind).toBe('answered');
    expect(plain.seen?.invalidReason).toContain('self-signed');
    const { X509Certificate } = await import('node:crypto');
    const fingerprint = new X509Certificate(files.cert).fingerprint256;
    expect((await certificateOf(files, { fingerprint })).seen?.invalidReason).toBeNull();
    expect((await certificateOf(files, { insecure: true })).seen?.invalidReason).toBeNull();
  });

  it('says that the certificate is not the pinned one', async () => {
    const { probe: seen, seen: certificate } = await certificateOf(lab.selfSigned('other'), {
      fingerprint: 'ab'.repeat(32),
    });
    expect(seen.kind).toBe('answered');
    expect(certificate?.invalidReason).toContain('not the pinned one');
  });

  it('says that a certificate is for another host', async () => {
    const { seen } = await certificateOf(lab.issue('elsewhere', { altNames: 'DNS:elsewhere.example' }), {
      caFile: lab.caFile,
    });
    expect(seen?.invalidReason).toContain('another name');
  });

  it('says that an unknown CA is unknown', async () => {
    expect((await certificateOf(lab.issue('foreign'))).seen?.invalidReason).toContain('CA is not trusted');
  });

  it('tells an expired certificate higher up in the chain from an expired one', async () => {
    lab.issue('old-middle', { isCa: true, startDays: -10, endDays: -1 });
    const { seen } = await certificateOf(lab.issue('below', { issuer: 'old-middle' }), { caFile: lab.caFile });
    expect(seen?.invalidReason).toContain('another certificate of its chain has expired');
  });

  it('sends headers to nobody whose certificate is not accepted, and still tells the certificate', async () => {
    const files = lab.selfSigned('thief');
    const server = await startScriptedServer((_request, response) => ok(response), { tls: files });
    onTestFinished(() => server.close());
    const { probe: seen, certificate } = await probe(server.url, { headers: { Authorization: 'Bearer s3cret' } });
    expect(seen).toMatchObject({ kind: 'unknown', code: 'failed', local: false });
    expect(server.requests).toHaveLength(0);
    expect(certificate).toMatchObject({ kind: 'seen' });
    const pinnedElse = await probe(server.url, { headers: { A: 'b' }, fingerprint: 'ab'.repeat(32) });
    expect(pinnedElse.probe.kind).toBe('unknown');
    expect(server.requests).toHaveLength(0);
    expect((await probe(server.url, { headers: { A: 'b' }, insecure: true })).probe.kind).toBe('answered');
  });

  it('tells the certificate also when the answer is bad', async () => {
    const { probe: seen, seen: certificate } = await certificateOf(
      lab.issue('bad-answer'),
      { caFile: lab.caFile },
      (response) => response.writeHead(503).end(),
    );
    expect(seen.kind).toBe('not_answered');
    expect(certificate?.invalidReason).toBeNull();
    const silent = await certificateOf(lab.issue('silent'), { caFile: lab.caFile, timeout: '400ms' }, () => undefined);
    expect(silent.probe.kind).toBe('not_answered');
    expect(silent.seen?.invalidReason).toBeNull();
  });

  it('says which file is missing, and does not blame the server', async () => {
    const { probe: seen, certificate } = await certificateOf(lab.issue('no-ca'), { caFile: '/nonexistent/ca.pem' });
    expect(seen).toMatchObject({
      kind: 'unknown',
      code: 'failed',
      reason: expect.stringContaining('/nonexistent/ca.pem'),
    });
    expect(certificate).toMatchObject({ kind: 'unknown', code: 'failed' });
  });
});
