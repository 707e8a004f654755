import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { proxmoxVeConfigSchema } from '../../../src/sources/proxmox-ve/proxmox-ve-config.ts';
import { proxmoxVeSource } from '../../../src/sources/proxmox-ve/proxmox-ve-source.ts';
import { createFakeClock } from '../../support/fake-clock.ts';
import { type ProxmoxEndpoint, startProxmoxEndpoint } from '../../support/proxmox-endpoint.ts';
import { clusterAnswers } from '../../support/proxmox-ve-cluster.ts';
import { NOW_MS } from '../../support/proxmox-ve-rows.ts';
import { sourceDeps, surveyRequest } from '../../support/source-deps.ts';
import { hasOpenssl, makeTlsFiles, type TlsFiles } from '../../support/tls-files.ts';

const TOKEN = 'PVEAPIToken=patrold@pve!read=s3cret';

describe.skipIf(!hasOpenssl())(
  `the source over HTTPS${hasOpenssl() ? '' : ' (skipped: openssl is not installed)'}`,
  () => {
    let tls: TlsFiles;
    let server: ProxmoxEndpoint;
    beforeAll(async () => {
      tls = makeTlsFiles();
      server = await startProxmoxEndpoint(tls, { authorization: TOKEN, answers: clusterAnswers() });
    });
    afterAll(async () => {
      await server.close();
      tls.remove();
    });
    const sourceWith = (more: Readonly<Record<string, unknown>> = {}) => {
      const config = proxmoxVeConfigSchema.parse({
        endpoints: [server.url],
        tokenId: 'patrold@pve!read',
        tokenSecret: 's3cret',
        caFile: tls.caFile,
        ...more,
      });
      return proxmoxVeSource.create('home', config, sourceDeps({ clock: createFakeClock(NOW_MS) }));
    };

    it('surveys a cluster', async () => {
      const source = sourceWith();
      const sighting = await source.survey(surveyRequest());
      expect(sighting.claims.map(({ kind }) => kind)).toEqual(
        expect.arrayContaining(['cluster', 'node', 'vm', 'container', 'storage', 'pool', 'disk']),
      );
      expect(sighting.readings.length).toBeGreaterThan(30);
      await source.close();
    });

    it('says in a sentence what answers there', async () => {
      const source = sourceWith();
      expect(await source.probe(AbortSignal.timeout(10_000))).toBe(
        `Proxmox VE 8.4.1 at ${server.url}: 2 nodes, 4 guests, 5 storages`,
      );
      await source.close();
    });

    it('says why it can not, with what to change and without the secret', async () => {
      const source = sourceWith({ tokenSecret: 'wrong-secret' });
      await expect(source.probe(AbortSignal.timeout(10_000))).rejects.toMatchObject({
        code: 'source_not_answering',
        message: expect.stringMatching(/401.*tokenId and its secret/),
      });
      await expect(source.survey(surveyRequest())).rejects.not.toThrow(/wrong-secret/);
      await source.close();
    });
  },
);
