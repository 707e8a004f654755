import net from 'node:net';
import tls from 'node:tls';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { toCheck } from '../../../src/sources/checks/check.ts';
import { checksConfigSchema } from '../../../src/sources/checks/checks-config.ts';
import type { CheckOutcome } from '../../../src/sources/checks/outcome.ts';
import { probeTcp } from '../../../src/sources/checks/probe-tcp.ts';
import { type CertificateLab, createCertificateLab } from '../../support/certificate-lab.ts';
import { startRawServer } from '../../support/scripted-server.ts';
import { hasOpenssl } from '../../support/tls-files.ts';

const probe = async (tcp: string, settings: object = {}): Promise<CheckOutcome> => {
  const [check] = checksConfigSchema.parse([{ name: 'it', tcp, timeout: '500ms', ...settings }]).map(toCheck);
  if (check?.kind !== 'tcp') throw new Error('not a TCP check');
  return probeTcp(check, Date.now(), AbortSignal.timeout(10_000));
};

const listen = async (host: string, server = net.createServer((socket) => socket.destroy())): Promise<number> => {
  await new Promise<void>((resolve) => {
    server.listen(0, host, resolve);
  });
  onTestFinished(() => {
    server.close();
  });
  const address = server.address();
  return typeof address === 'object' && address !== null ? address.port : 0;
};

describe('probeTcp', () => {
  it('takes an accepted connection as an answer, also from one that says nothing', async () => {
    const server = await startRawServer(() => undefined);
    onTestFinished(() => server.close());
    expect(await probe(new URL(server.url).host)).toEqual({
      probe: { kind: 'answered', latencyMs: expect.any(Number) },
      certificate: null,
    });
  });

  it('reaches IPv6 addresses, and names that have several addresses', async () => {
    expect((await probe(`[::1]:${await listen('::1')}`)).probe.kind).toBe('answered');
    expect((await probe(`localhost:${await listen('127.0.0.1')}`)).probe.kind).toBe('answered');
  });

  it('says that a connection was refused', async () => {
    const server = await startRawServer(() => undefined);
    await server.close();
    expect((await probe(new URL(server.url).host)).probe).toMatchObject({
      kind: 'not_answered',
      reason: expect.stringContaining('ECONNREFUSED'),
    });
  });

  it('blames this side where an address is of no use here', async () => {
    // Link-local without an interface can't be reached by anyone.
    expect((await probe('[fe80::1]:1')).probe).toMatchObject({ kind: expect.stringMatching(/unknown|not_answered/) });
    expect((await probe('[ff02::1%lo]:1')).probe).toMatchObject({ kind: 'unknown', local: true });
  });

  it('stops when the survey is cancelled', async () => {
    const [check] = checksConfigSchema.parse([{ name: 'it', tcp: '127.0.0.1:1' }]).map(toCheck);
    if (check?.kind !== 'tcp') throw new Error('not a TCP check');
    expect(await probeTcp(check, 0, AbortSignal.abort())).toMatchObject({
      probe: { kind: 'unknown', code: 'timed_out' },
    });
  });
});

describe.skipIf(!hasOpenssl())('probeTcp with TLS (needs openssl)', () => {
  let lab: CertificateLab;
  beforeAll(() => {
    lab = createCertificateLab();
  });
  afterAll(() => lab.remove());

  it('tells the certificate of a port that speaks TLS', async () => {
    const port = await listen('127.0.0.1', tls.createServer(lab.issue('imap')));
    const { probe: seen, certificate } = await probe(`127.0.0.1:${port}`, { tls: true, caFile: lab.caFile });
    expect(seen.kind).toBe('answered');
    expect(certificate).toMatchObject({ kind: 'seen', certificate: { invalidReason: null } });
  });

  it('takes a port that never completes the handshake for silent', async () => {
    const server = await startRawServer(() => undefined);
    onTestFinished(() => server.close());
    const { probe: seen, certificate } = await probe(new URL(server.url).host, { tls: true });
    expect(seen.kind).toBe('not_answered');
    expect(certificate).toMatchObject({ kind: 'unknown', code: 'not_answering' });
  });
});
