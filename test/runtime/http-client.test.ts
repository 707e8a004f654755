import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterEach, describe, expect, it } from 'vitest';
import { createHttpClient, type HttpClient, type HttpClientOptions } from '../../src/runtime/http-client.ts';
import type { HttpResult } from '../../src/runtime/http-failure.ts';
import { createSecret } from '../../src/runtime/secret.ts';
import { startRawServer, startScriptedServer } from '../support/scripted-server.ts';

const cleanups: (() => unknown)[] = [];
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
});

const clientOf = (options: HttpClientOptions): HttpClient => {
  const client = createHttpClient(options);
  cleanups.push(() => client.close());
  return client;
};
const serve: typeof startScriptedServer = async (answer, options) => {
  const server = await startScriptedServer(answer, options);
  cleanups.push(() => server.close());
  return server;
};
const serveRaw: typeof startRawServer = async (onSocket) => {
  const server = await startRawServer(onSocket);
  cleanups.push(() => server.close());
  return server;
};
const failureOf = (result: HttpResult<unknown>) => {
  if (result.ok) throw new Error('expected a failure');
  return result.failure;
};
const answerOf = <T>(result: HttpResult<T>): T => {
  if (!result.ok) throw new Error(`unexpected failure: ${result.failure.reason}`);
  return result.value;
};

describe('an answer', () => {
  it('is given with status, headers and body, below the path of the base URL', async () => {
    const server = await serve((_request, response) => response.writeHead(418, { 'x-a': 'b' }).end('tea'));
    const answer = answerOf(
      await clientOf({ baseUrl: `${server.url}/base/` }).request({
        path: '/pot?x=1',
        query: { q: 'a b', n: 2, no: undefined },
      }),
    );
    expect([answer.status, answer.headers['x-a'], answer.body.toString(), answer.peer]).toEqual([
      418,
      'b',
      'tea',
      null,
    ]);
    expect(server.requests[0]?.url).toBe('/base/pot?x=1&q=a+b&n=2');
    expect(answer.latencyMs).toBeGreaterThan(0);
  });

  it('comes over one kept connection, however many are asked one after the other', async () => {
    const server = await serve((_request, response) => response.end('{}'));
    const client = clientOf({ baseUrl: server.url });
    for (let i = 0; i < 5; i += 1) answerOf(await client.requestJson({ path: '/' }));
    expect(server.connections()).toBe(1);
  });

  it('is never waited for by more connections than allowed', async () => {
    const server = await serve((_request, response) => void setTimeout(() => response.end('{}'), 20));
    const client = clientOf({ baseUrl: server.url, maxConnections: 2 });
    const results = await Promise.all(Array.from({ length: 8 }, () => client.requestJson({ path: '/' })));
    expect(results.every((result) => result.ok)).toBe(true);
    expect(server.connections()).toBe(2);
  });

  it('is unpacked where it is gzip, and JSON is parsed', async () => {
    const server = await serve((request, response) => {
      expect(request.headers['accept-encoding']).toContain('gzip');
      response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync('{"a":["ü"]}'));
    });
    expect(answerOf(await clientOf({ baseUrl: server.url }).requestJson({ path: '/' }))).toEqual({ a: ['ü'] });
  });

  it('carries a body and its length when something is posted', async () => {
    const server = await serve((request, response) => {
      request
        .setEncoding('utf8')
        .on('data', (chunk) => response.end(JSON.stringify({ got: chunk, length: request.headers['content-length'] })));
    });
    const client = clientOf({ baseUrl: server.url });
    expect(answerOf(await client.requestJson({ method: 'POST', path: '/', body: 'query=ü' }))).toEqual({
      got: 'query=ü',
      length: '8',
    });
  });

  it('comes over a unix socket too', async () => {
    const directory = mkdtempSync(join(tmpdir(), 'patrold-http-'));
    cleanups.push(() => rmSync(directory, { recursive: true }));
    const socketPath = join(directory, 'engine.sock');
    const server = await serve((_request, response) => response.end('{"unix":true}'), { socketPath });
    const client = clientOf({ baseUrl: 'http://docker', socketPath });
    expect(answerOf(await client.requestJson({ path: '/info' }))).toEqual({ unix: true });
    expect(server.requests[0]?.headers.host).toBe('docker');
    expect(client.origin).toBe(`unix:${socketPath}`);
  });

  it('is asked for once more when a kept connection turns out to be closed', async () => {
    let asked = 0;
    const server = await serveRaw((socket) => {
      socket.on('data', () => {
        asked += 1;
        if (asked === 2) socket.destroy();
        else socket.write('HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\n{}');
      });
    });
    const client = clientOf({ baseUrl: server.url });
    answerOf(await client.requestJson({ path: '/' }));
    expect(answerOf(await client.requestJson({ path: '/' }))).toEqual({});
    expect(asked).toBe(3);
  });
});

describe('credentials', () => {
  const cases = [
    [{ kind: 'bearer', token: createSecret('t0ken') }, 'Bearer t0ken'],
    [
      { kind: 'basic', username: 'me', password: createSecret('p:ä') },
      `Basic ${Buffer.from('me:p:ä').toString('base64')}`,
    ],
    [{ kind: 'raw', value: createSecret('PVEAPIToken=a@b!c=d') }, 'PVEAPIToken=a@b!c=d'],
  ] as const;
  for (const [auth, header] of cases) {
    it(`of kind ${auth.kind} go into the header`, async () => {
      const server = await serve((_request, response) => response.end('{}'));
      await clientOf({ baseUrl: server.url, auth, headers: { 'x-scope-orgid': 'home' } }).request({ path: '/' });
      expect(server.requests[0]?.headers.authorization).toBe(header);
      expect(server.requests[0]?.headers['x-scope-orgid']).toBe('home');
    });
  }

  it('inside a URL are refused without being repeated', () => {
    const bad = () => createHttpClient({ baseUrl: 'http://me:hunter2@192.0.2.1:9090' });
    expect(bad).toThrowError(expect.objectContaining({ code: 'http_client_invalid' }));
    expect(bad).toThrowError(/^(?!.*(hunter2|\bme\b)).*192\.0\.2\.1/);
  });

  it('with a character that headers forbid are a failure that does not show them', async () => {
    const server = await serve((_request, response) => response.end());
    const failure = failureOf(
      await clientOf({ baseUrl: server.url, auth: { kind: 'bearer', token: createSecret('a\nb-secret') } }).request({
        path: '/',
      }),
    );
    expect(failure.code).toBe('http_request_invalid');
    expect(JSON.stringify(failure)).not.toContain('b-secret');
  });

  it('never go to a server that nobody verified', () => {
    const auth = { kind: 'bearer', token: createSecret('x') } as const;
    expect(() => createHttpClient({ baseUrl: 'https://a', auth, tls: { verify: 'report' } })).toThrowError(
      /nobody verified/,
    );
  });
});

describe('options that can not work are refused at once', () => {
  it.each([
    ['no URL', { baseUrl: 'metrics' }],
    ['another scheme', { baseUrl: 'ftp://a' }],
    ['a fingerprint that is too short', { baseUrl: 'https://a', tls: { fingerprint: 'AB:CD' } }],
  ])('%s', (_title, options) => {
    expect(() => createHttpClient(options)).toThrowError(expect.objectContaining({ code: 'http_client_invalid' }));
  });
});

describe('a failure', () => {
  const limits = { connectMs: 200, firstByteMs: 120, idleMs: 120, totalMs: 400, maxBodyBytes: 1000 };

  it('tells a refused connection, with host and remedy', async () => {
    const server = await startRawServer(() => undefined);
    await server.close();
    const failure = failureOf(await clientOf({ baseUrl: server.url }).request({ path: '/secret-path?token=abc' }));
    expect(failure.code).toBe('http_unreachable');
    expect(failure.reason).toContain(server.url);
    expect(failure.reason).toContain('is it running');
    expect(failure.reason).not.toMatch(/secret-path|abc/);
  });

  it('tells a name that does not exist', async () => {
    const failure = failureOf(
      await clientOf({ baseUrl: 'http://nothing.invalid', limits: { totalMs: 5_000 } }).request({ path: '/' }),
    );
    expect(['http_unreachable', 'http_timeout']).toContain(failure.code);
    expect(failure.reason).toContain('nothing.invalid');
  });

  it('tells a missing socket', async () => {
    const failure = failureOf(
      await clientOf({ baseUrl: 'http://x', socketPath: '/nonexistent/x.sock' }).request({ path: '/' }),
    );
    expect(failure).toMatchObject({ code: 'http_unreachable' });
    expect(failure.reason).toContain('is the service running');
  });

  it.each([
    ['closes at once', (): string | null => null, 'http_unreachable'],
    ['speaks another protocol', () => 'SSH-2.0-OpenSSH_9.2\r\n', 'http_malformed'],
    ['breaks off inside the body', () => 'HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\n{"a":', 'http_cut_short'],
    [
      'breaks off inside a chunked body',
      () => 'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n5\r\n{"a":\r\n',
      'http_cut_short',
    ],
    ['breaks off inside the head', () => 'HTTP/1.1 200 OK\r\ncontent-le', 'http_unreachable'],
    [
      'sends a nonsensical chunk',
      () => 'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\nzz\r\n',
      'http_cut_short',
    ],
    [
      'says gzip and sends none',
      () => 'HTTP/1.1 200 OK\r\ncontent-encoding: gzip\r\ncontent-length: 5\r\n\r\nhello',
      'http_malformed',
    ],
    [
      'answers in an unknown encoding',
      () => 'HTTP/1.1 200 OK\r\ncontent-encoding: br\r\ncontent-length: 5\r\n\r\nhello',
      'http_malformed',
    ],
  ])('tells a server that %s', async (_title, bytes, code) => {
    const server = await serveRaw((socket) => {
      const text = bytes();
      if (text === null) socket.destroy();
      else socket.once('data', () => socket.end(text));
    });
    const failure = failureOf(await clientOf({ baseUrl: server.url, limits }).request({ path: '/' }));
    expect(failure.code).toBe(code);
    expect(failure.reason).toContain(server.url);
  });

  it('tells a compressed answer that ends too early', async () => {
    const body = gzipSync(Buffer.alloc(500, 'abcdefg'));
    const server = await serve((_request, response) =>
      response.writeHead(200, { 'content-encoding': 'gzip' }).end(body.subarray(0, -6)),
    );
    expect(failureOf(await clientOf({ baseUrl: server.url, limits }).request({ path: '/' })).code).toBe(
      'http_cut_short',
    );
  });

  it.each([
    ['never answers', () => undefined, 'firstByteMs'],
    [
      'stops inside the body',
      (socket: { write(text: string): void }) => socket.write('HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\n{'),
      'idleMs',
    ],
  ])('names the limit when a server %s', async (_title, act, limit) => {
    const server = await serveRaw((socket) => void socket.once('data', () => act(socket)));
    const failure = failureOf(await clientOf({ baseUrl: server.url, limits }).request({ path: '/' }));
    expect(failure.code).toBe('http_timeout');
    expect(failure.reason).toContain(`${limit} = 120 ms`);
  });

  it('names the total limit when a server drips for ever', async () => {
    const server = await serve((_request, response) => {
      const drip = setInterval(() => response.write('x'), 20);
      response.on('close', () => clearInterval(drip));
    });
    const failure = failureOf(await clientOf({ baseUrl: server.url, limits }).request({ path: '/' }));
    expect(failure.reason).toContain('totalMs = 400 ms');
  });

  it('names the size limit, packed or not', async () => {
    for (const packed of [false, true]) {
      const body = Buffer.alloc(100_000, 'a');
      const server = await serve((_request, response) =>
        packed ? response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync(body)) : response.end(body),
      );
      const failure = failureOf(await clientOf({ baseUrl: server.url, limits }).request({ path: '/' }));
      expect(failure).toMatchObject({ code: 'http_too_large' });
      expect(failure.reason).toContain('maxBodyBytes = 1000');
    }
  });

  it('comes at once when the caller aborts, before and during the wait', async () => {
    const server = await serve(() => undefined);
    const client = clientOf({ baseUrl: server.url });
    expect(failureOf(await client.request({ path: '/', signal: AbortSignal.abort() })).code).toBe('http_aborted');
    const controller = new AbortController();
    const pending = client.request({ path: '/', signal: controller.signal });
    setTimeout(() => controller.abort(), 30);
    expect(failureOf(await pending).code).toBe('http_aborted');
  });

  it.each([
    [401, {}, 'http_not_permitted', 'credentials'],
    [403, {}, 'http_not_permitted', 'right'],
    [302, { location: 'http://u:p@other.example/x?token=1' }, 'http_redirected', 'http://other.example'],
    [500, {}, 'http_status', '500: it broke'],
    [404, {}, 'http_status', '404'],
  ])('tells status %i when JSON was asked for', async (status, headers, code, part) => {
    const server = await serve((_request, response) =>
      response.writeHead(status, headers).end('it \u001b[31mbroke password=hunter2'),
    );
    const failure = failureOf(await clientOf({ baseUrl: server.url }).requestJson({ path: '/' }));
    expect(failure).toMatchObject({ code, status });
    expect(failure.reason).toContain(part);
    expect(failure.reason).not.toMatch(/hunter2|token=|u:p/);
    expect(failure.reason).not.toContain('\u001b');
    expect(server.requests).toHaveLength(1);
  });

  it.each(['<html>login</html>', '{"a":', '', 'null x'])('tells %j, which is not JSON', async (body) => {
    const server = await serve((_request, response) => response.end(body));
    expect(failureOf(await clientOf({ baseUrl: server.url }).requestJson({ path: '/' })).code).toBe('http_malformed');
  });
});

it('closes connections that are still being opened', async () => {
  const client = createHttpClient({ baseUrl: 'http://192.0.2.1:9', limits: { connectMs: 60_000, totalMs: 60_000 } });
  const pending = client.request({ path: '/' });
  await new Promise((resolve) => setTimeout(resolve, 20));
  client.close();
  expect((await pending).ok).toBe(false);
});
