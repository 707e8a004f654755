import { X509Certificate } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { createSecret } from '../../../src/runtime/secret.ts';
import { createHttpsTransport, type HttpsTransportOptions } from '../../../src/sources/proxmox/https-transport.ts';
import { PROXMOX_BACKUP, PROXMOX_VE, type ProxmoxProduct } from '../../../src/sources/proxmox/product.ts';
import { proxmoxLimits } from '../../../src/sources/proxmox/proxmox-limits.ts';
import { createProxmoxReader } from '../../../src/sources/proxmox/proxmox-reader.ts';
import {
  type ProxmoxEndpoint,
  type ProxmoxEndpointOptions,
  startProxmoxEndpoint,
} from '../../support/proxmox-endpoint.ts';
import { hasOpenssl, makeTlsFiles, type TlsFiles } from '../../support/tls-files.ts';

const SECRET = '5b6c1d2e-0000-4111-8222-333344445555';
const VE_TOKEN = `PVEAPIToken=patrold@pve!read=${SECRET}`;
const version = z.object({ version: z.string() });

describe.skipIf(!hasOpenssl())(
  `the HTTPS transport${hasOpenssl() ? '' : ' (skipped: openssl is not installed)'}`,
  () => {
    let tls: TlsFiles;
    const open: (() => Promise<void> | void)[] = [];
    let monotonicMs = 0;
    beforeAll(() => {
      tls = makeTlsFiles();
    });
    afterEach(async () => {
      monotonicMs = 0;
      for (const close of open.splice(0)) await close();
    });
    afterAll(() => tls.remove());

    const serve = async (options: Partial<ProxmoxEndpointOptions> = {}): Promise<ProxmoxEndpoint> => {
      const answers = { '/version': { version: '9.0.3' } };
      const endpoint = await startProxmoxEndpoint(tls, { authorization: VE_TOKEN, answers, ...options });
      open.push(() => endpoint.close());
      return endpoint;
    };
    const reach = (
      endpoints: readonly string[],
      more: Partial<HttpsTransportOptions> = {},
      product: ProxmoxProduct = PROXMOX_VE,
    ) => {
      const isUser = more.username !== undefined;
      const token = isUser ? {} : { tokenId: 'patrold@pve!read', tokenSecret: createSecret(SECRET) };
      const transport = createHttpsTransport(
        { endpoints, caFile: tls.caFile, ...token, ...more },
        { product, clock: { monotonicMs: () => monotonicMs } },
      );
      open.push(() => transport.close());
      return createProxmoxReader(transport, new AbortController().signal);
    };

    it('is let in by a token, written as each product wants it', async () => {
      const ve = await serve();
      expect(await reach([ve.url]).get('/version', version)).toEqual({ ok: true, value: { version: '9.0.3' } });
      const backup = await serve({ authorization: `PBSAPIToken=patrold@pve!read:${SECRET}` });
      expect((await reach([backup.url], {}, PROXMOX_BACKUP).get('/version', version)).ok).toBe(true);
    });

    it('trusts a pinned fingerprint, one of several, and nothing else', async () => {
      const server = await serve();
      const pin = new X509Certificate(readFileSync(tls.certFile)).fingerprint256;
      const other = pin.replaceAll(/[0-9A-F]/g, 'A');
      const pinned = (fingerprint: string | readonly string[]) =>
        reach([server.url], { caFile: undefined, fingerprint }).get('/version', version);
      expect((await pinned(pin)).ok).toBe(true);
      expect((await pinned([other, pin])).ok).toBe(true);
      expect(await pinned([other])).toMatchObject({
        ok: false,
        failure: { broken: true, reason: expect.stringContaining('fingerprint') },
      });
      expect(server.asked).toHaveLength(2);
    });

    it('says of a token that is not accepted what to check, without the secret', async () => {
      const server = await serve();
      const read = await reach([server.url], { tokenSecret: createSecret('another-secret') }).get('/version', version);
      expect(read).toMatchObject({ ok: false, failure: { status: 401, broken: true } });
      expect(JSON.stringify(read)).toMatch(/tokenId and its secret/);
      expect(JSON.stringify(read)).not.toContain('another-secret');
    });

    it('reads the secret from its file, again once it is not accepted any longer', async () => {
      const secretFile = join(dirname(tls.caFile), 'pve.secret');
      writeFileSync(secretFile, 'old\n');
      const server = await serve();
      const reader = reach([server.url], { tokenSecret: undefined, tokenSecretFile: secretFile });
      expect((await reader.get('/version', version)).ok).toBe(false);
      writeFileSync(secretFile, `${SECRET}\n`);
      expect((await reader.get('/version', version)).ok).toBe(true);
    });

    it('names the file of a secret that can not be read', async () => {
      const server = await serve();
      const read = await reach([server.url], { tokenSecret: undefined, tokenSecretFile: '/nowhere/pve.secret' }).get(
        '/version',
        version,
      );
      expect(read).toMatchObject({ ok: false, failure: { reason: expect.stringContaining('/nowhere/pve.secret') } });
      expect(server.asked).toEqual([]);
    });

    it('logs a user in once, renews the ticket in time and after it has ended early', async () => {
      const login = { username: 'patrold@pve', password: 'pass word&+', cookie: 'PVEAuthCookie' };
      const server = await serve({ login });
      const reader = reach([server.url], { username: login.username, password: createSecret(login.password) });
      await Promise.all([1, 2, 3].map(() => reader.get('/version', version)));
      expect(server.logins()).toBe(1);
      monotonicMs += proxmoxLimits.ticketMs;
      expect((await reader.get('/version', version)).ok).toBe(true);
      expect(server.logins()).toBe(2);
      server.endTickets();
      expect((await reader.get('/version', version)).ok).toBe(true);
      expect(server.logins()).toBe(3);
    });

    it('says that a wrong password is one, and that a second factor needs a token', async () => {
      const login = { username: 'patrold@pve', password: 'right', cookie: 'PVEAuthCookie' };
      const server = await serve({ login });
      const wrong = await reach([server.url], { username: 'patrold@pve', password: createSecret('wrong') }).get(
        '/version',
        version,
      );
      expect(wrong).toMatchObject({
        ok: false,
        failure: { broken: true, reason: expect.stringMatching(/does not let patrold@pve in.*401/) },
      });
      const factor = await serve({ login, secondFactor: true });
      const second = await reach([factor.url], { username: 'patrold@pve', password: createSecret('right') }).get(
        '/version',
        version,
      );
      expect(second).toMatchObject({ ok: false, failure: { reason: expect.stringContaining('API token') } });
    });

    it('asks the next endpoint where one is down, and leaves that alone for a while', async () => {
      const [first, second] = [await serve(), await serve()];
      await first.close();
      const reader = reach([first.url, second.url]);
      expect((await reader.get('/version', version)).ok).toBe(true);
      expect(reader.origin()).toBe(second.url);
      const revived = await serve();
      const both = reach([revived.url, second.url]);
      expect((await both.get('/version', version)).ok).toBe(true);
      expect(revived.asked).toHaveLength(1);
    });

    it('comes back to the first endpoint when its time is over', async () => {
      let isDown = true;
      const first = await serve({
        onRequest: (_path, response) => {
          if (isDown) response.writeHead(503).end();
          return isDown;
        },
      });
      const second = await serve();
      const reader = reach([first.url, second.url]);
      await reader.get('/version', version);
      isDown = false;
      await reader.get('/version', version);
      expect([first.asked.length, second.asked.length]).toEqual([1, 2]);
      monotonicMs += proxmoxLimits.avoidEndpointMs;
      await reader.get('/version', version);
      expect([first.asked.length, second.asked.length]).toEqual([2, 2]);
    });

    it('does not ask elsewhere what was refused, or what another node is slow to answer', async () => {
      const answers = { '/nodes/pve1/status': 'Permission check failed (/nodes/pve1, Sys.Audit)' };
      const first = await serve({ answers, onRequest: (path) => path === '/nodes/pve2/status' });
      const second = await serve({ answers });
      const reader = reach([first.url, second.url], { limits: { firstByteMs: 100 } });
      const refused = await reader.get('/nodes/pve1/status', z.unknown());
      expect(refused).toMatchObject({
        ok: false,
        failure: { status: 403, missing: { path: '/nodes/pve1', privileges: ['Sys.Audit'] }, broken: false },
      });
      const slow = await reader.get('/nodes/pve2/status', z.unknown());
      expect(slow).toMatchObject({ ok: false, failure: { code: 'timed_out', broken: false } });
      expect(second.asked).toEqual([]);
    });

    it('says of all endpoints why none answers', async () => {
      const [first, second] = [await serve(), await serve()];
      await first.close();
      await second.close();
      const read = await reach([first.url, second.url]).get('/version', version);
      expect(read).toMatchObject({ ok: false, failure: { code: 'unreachable', broken: true } });
      expect(JSON.stringify(read)).toContain(first.url);
      expect(JSON.stringify(read)).toContain(second.url);
    });
  },
);
