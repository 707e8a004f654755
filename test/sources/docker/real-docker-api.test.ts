import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { systemClock } from '../../../src/runtime/clock.ts';
import type { DockerConfig } from '../../../src/sources/docker/docker-config.ts';
import { createRealDockerApi } from '../../../src/sources/docker/real-docker-api.ts';
import { plain } from '../../support/scripted-engine.ts';
import { startScriptedServer } from '../../support/scripted-server.ts';
import { hasOpenssl, makeTlsFiles, type TlsFiles } from '../../support/tls-files.ts';

const { signal } = new AbortController();

const ask = async (config: Partial<DockerConfig>, path = '/version'): Promise<string> => {
  const api = createRealDockerApi({ ignore: [], ...config }, systemClock, { totalMs: 5_000 });
  const result = await api.get(path, {}, signal);
  api.close();
  return result.ok ? `${result.value.status} ${result.value.text}` : `${result.failure.code}: ${result.failure.reason}`;
};

describe('createRealDockerApi', () => {
  it('reaches an engine over plain TCP', async () => {
    const server = await startScriptedServer(plain('{}'));
    onTestFinished(() => server.close());
    expect(await ask({ host: server.url.replace('http', 'tcp') })).toBe('200 {}');
  });

  it('hands on an answer that is an error', async () => {
    const server = await startScriptedServer(plain('{"message":"no"}', 404));
    onTestFinished(() => server.close());
    expect(await ask({ host: server.url.replace('http', 'tcp') })).toBe('404 {"message":"no"}');
  });

  it('says what is wrong with an address where nobody listens', async () => {
    const server = await startScriptedServer(plain('{}'));
    await server.close();
    expect(await ask({ host: server.url.replace('http', 'tcp') })).toMatch(
      /^http_unreachable: .*refused the connection/,
    );
  });

  it('says that there is no socket', async () => {
    expect(await ask({ socket: '/nonexistent/docker.sock' })).toMatch(/^http_unreachable: there is no socket/);
  });

  it('does not connect after its survey was given up', async () => {
    const api = createRealDockerApi({ ignore: [], socket: '/nonexistent/docker.sock' }, systemClock);
    const result = await api.get('/version', {}, AbortSignal.abort());
    expect(result).toMatchObject({ ok: false, failure: { code: 'http_aborted' } });
  });
});

describe.skipIf(!hasOpenssl())('createRealDockerApi over TLS (needs openssl)', () => {
  let files: TlsFiles;
  beforeAll(() => {
    files = makeTlsFiles();
  });
  afterAll(() => files?.remove());

  const engine = async (): Promise<string> => {
    const tls = {
      cert: readFileSync(files.certFile),
      key: readFileSync(files.keyFile),
      ca: readFileSync(files.caFile),
      requestCert: true,
      rejectUnauthorized: true,
    };
    const server = await startScriptedServer(plain('{}'), { tls });
    onTestFinished(() => server.close());
    return server.url.replace('https', 'tcp');
  };

  it('shows its certificate to an engine that asks for one', async () => {
    const { caFile, clientCertFile: certFile, clientKeyFile: keyFile } = files;
    expect(await ask({ host: await engine(), caFile, certFile, keyFile })).toBe('200 {}');
  });

  it('does not speak to an engine whose certificate nobody vouches for', async () => {
    const { clientCertFile: certFile, clientKeyFile: keyFile } = files;
    expect(await ask({ host: await engine(), certFile, keyFile })).toMatch(/^http_untrusted: .*caFile/);
  });

  it('says that an engine does not accept it without a certificate', async () => {
    expect(await ask({ host: await engine(), caFile: files.caFile })).toMatch(/^http_(unreachable|cut_short): /);
  });

  it('names the file that can not be read', async () => {
    expect(await ask({ host: await engine(), caFile: '/nonexistent/ca.pem' })).toMatch(
      /^http_tls_files: caFile \/nonexistent\/ca\.pem/,
    );
  });

  it('says that a plain engine is no TLS one', async () => {
    const server = await startScriptedServer(plain('{}'));
    onTestFinished(() => server.close());
    expect(await ask({ host: server.url.replace('http', 'tcp'), caFile: files.caFile })).toMatch(
      /^http_unreachable: .*TLS/,
    );
  });
});
