import { X509Certificate } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createHttpClient } from '../../src/runtime/http-client.ts';
import { normalizeFingerprint, type TlsOptions } from '../../src/runtime/http-tls.ts';
import { createSecret } from '../../src/runtime/secret.ts';
import { type ScriptedServer, startRawServer, startScriptedServer } from '../support/scripted-server.ts';
import { hasOpenssl, makeTlsFiles, type TlsFiles } from '../support/tls-files.ts';

describe.skipIf(!hasOpenssl())(`TLS${hasOpenssl() ? '' : ' (skipped: openssl is not installed)'}`, () => {
  let files: TlsFiles;
  let server: ScriptedServer;
  let expired: ScriptedServer;
  let mutual: ScriptedServer;
  let fingerprint: string;
  const start = (certFile: string, keyFile: string, more = {}) =>
    startScriptedServer((_request, response) => response.end('{}'), {
      tls: { cert: readFileSync(certFile), key: readFileSync(keyFile), ...more },
    });
  beforeAll(async () => {
    files = makeTlsFiles();
    server = await start(files.certFile, files.keyFile);
    expired = await start(files.expiredCertFile, files.expiredKeyFile);
    mutual = await start(files.certFile, files.keyFile, {
      ca: readFileSync(files.caFile),
      requestCert: true,
      rejectUnauthorized: true,
    });
    fingerprint = new X509Certificate(readFileSync(files.certFile)).fingerprint256;
  });
  afterAll(async () => {
    await Promise.all([server.close(), expired.close(), mutual.close()]);
    files.remove();
  });
  const ask = async (url: string, tls: TlsOptions, auth?: string) => {
    const client = createHttpClient({
      baseUrl: url,
      tls,
      ...(auth === undefined ? {} : { auth: { kind: 'bearer', token: createSecret(auth) } }),
    });
    const result = await client.request({ path: '/' });
    client.close();
    return result;
  };

  it('refuses a certificate that nobody vouches for, and says what to do', async () => {
    const result = await ask(server.url, {});
    expect(result).toMatchObject({ ok: false, failure: { code: 'http_untrusted' } });
    expect(JSON.stringify(result)).toMatch(/caFile.*fingerprint/);
  });

  it('trusts by a CA file, by address and by name', async () => {
    const result = await ask(server.url, { caFile: files.caFile });
    expect(result).toMatchObject({ ok: true, value: { peer: { subject: 'server', refusedBecause: null } } });
    const named = await ask(server.url, { caFile: files.caFile, serverName: 'localhost' });
    expect(named.ok).toBe(true);
    const wrong = await ask(server.url, { caFile: files.caFile, serverName: 'elsewhere.example' });
    expect(wrong).toMatchObject({ ok: false, failure: { code: 'http_untrusted' } });
  });

  it('refuses an expired certificate though the CA is right', async () => {
    const result = await ask(expired.url, { caFile: files.caFile });
    expect(result).toMatchObject({ ok: false, failure: { code: 'http_untrusted' } });
    expect(JSON.stringify(result)).toContain('CERT_HAS_EXPIRED');
  });

  it('trusts a pinned fingerprint however it is written, and nothing but it', async () => {
    for (const written of [fingerprint, fingerprint.replaceAll(':', '').toLowerCase(), `sha256:${fingerprint}`]) {
      expect(await ask(server.url, { fingerprint: written })).toMatchObject({
        ok: true,
        value: { peer: { refusedBecause: null } },
      });
    }
    const other = fingerprint.replaceAll(/[0-9A-F]/g, 'A');
    const seen = server.requests.length;
    expect(await ask(server.url, { fingerprint: other }, 'very-secret')).toMatchObject({
      ok: false,
      failure: { code: 'http_fingerprint_mismatch' },
    });
    expect(server.requests.length, 'nothing was sent to it').toBe(seen);
  });

  it('tells what is wrong with a certificate when it is asked to report', async () => {
    const result = await ask(expired.url, { caFile: files.caFile, verify: 'report' });
    expect(result).toMatchObject({ ok: true, value: { peer: { refusedBecause: 'CERT_HAS_EXPIRED' } } });
    const peer = result.ok ? result.value.peer : null;
    expect((peer?.notAfterMs ?? 0) - (peer?.notBeforeMs ?? 0)).toBeLessThan(0);
    expect(await ask(server.url, { verify: 'report', serverName: 'elsewhere.example' })).toMatchObject({
      ok: true,
      value: { peer: { refusedBecause: expect.stringMatching(/^UNABLE_TO|^ERR_TLS|SELF_SIGNED/) } },
    });
  });

  it('shows a client certificate where the server wants one', async () => {
    const keys = { caFile: files.caFile, certFile: files.clientCertFile, keyFile: files.clientKeyFile };
    expect((await ask(mutual.url, keys)).ok).toBe(true);
    expect(await ask(mutual.url, { caFile: files.caFile })).toMatchObject({ ok: false });
  });

  it('names a file that is missing or no PEM', async () => {
    const missing = await ask(server.url, { caFile: '/nonexistent/ca.pem' });
    expect(missing).toMatchObject({ ok: false, failure: { code: 'http_tls_files' } });
    expect(JSON.stringify(missing)).toContain('/nonexistent/ca.pem');
    const directory = mkdtempSync(join(tmpdir(), 'patrold-pem-'));
    writeFileSync(join(directory, 'key'), 'no key');
    const broken = await ask(server.url, { certFile: files.clientCertFile, keyFile: join(directory, 'key') });
    rmSync(directory, { recursive: true });
    expect(broken).toMatchObject({ ok: false, failure: { code: 'http_tls_files' } });
  });

  it('reads a file again after it could not be read', async () => {
    const directory = mkdtempSync(join(tmpdir(), 'patrold-pem-'));
    const caFile = join(directory, 'ca.pem');
    const client = createHttpClient({ baseUrl: server.url, tls: { caFile } });
    expect((await client.request({ path: '/' })).ok).toBe(false);
    writeFileSync(caFile, readFileSync(files.caFile));
    expect((await client.request({ path: '/' })).ok).toBe(true);
    client.close();
    rmSync(directory, { recursive: true });
  });

  it('tells plain HTTP and silence from TLS', async () => {
    const plain = await startScriptedServer((_request, response) => response.end());
    expect(await ask(plain.url.replace('http:', 'https:'), {})).toMatchObject({
      ok: false,
      failure: { code: 'http_unreachable' },
    });
    await plain.close();
    const silent = await startRawServer(() => undefined);
    const client = createHttpClient({ baseUrl: silent.url.replace('http:', 'https:'), limits: { connectMs: 100 } });
    const result = await client.request({ path: '/' });
    expect(result).toMatchObject({ ok: false, failure: { code: 'http_timeout' } });
    expect(JSON.stringify(result)).toContain('connectMs = 100 ms');
    client.close();
    await silent.close();
  });
});

it('takes a SHA-256 for a fingerprint and nothing else', () => {
  expect(normalizeFingerprint('a'.repeat(64))).toBe('A'.repeat(64));
  for (const bad of ['', 'a'.repeat(40), 'g'.repeat(64), `${'a'.repeat(64)}0`])
    expect(normalizeFingerprint(bad)).toBeNull();
});
