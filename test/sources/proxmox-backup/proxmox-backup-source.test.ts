import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { proxmoxBackupConfigSchema } from '../../../src/sources/proxmox-backup/proxmox-backup-config.ts';
import { proxmoxBackupSource } from '../../../src/sources/proxmox-backup/proxmox-backup-source.ts';
import { createFakeClock } from '../../support/fake-clock.ts';
import { PBS_NOW_MS, PBS_NOW_S, pbsAnswers } from '../../support/proxmox-backup-answers.ts';
import { type ProxmoxEndpoint, startProxmoxEndpoint } from '../../support/proxmox-endpoint.ts';
import { sourceDeps, surveyRequest } from '../../support/source-deps.ts';
import { hasOpenssl, makeTlsFiles, type TlsFiles } from '../../support/tls-files.ts';

/** A colon, where Proxmox VE has `=`. */
const TOKEN = 'PBSAPIToken=patrold@pbs!read:s3cret';

describe.skipIf(!hasOpenssl())(
  `the source over HTTPS${hasOpenssl() ? '' : ' (skipped: openssl is not installed)'}`,
  () => {
    let tls: TlsFiles;
    let server: ProxmoxEndpoint;
    beforeAll(async () => {
      tls = makeTlsFiles();
      const time = { time: PBS_NOW_S, timezone: 'Europe/Vienna' };
      const answers = { ...pbsAnswers(), '/nodes/localhost/time': time };
      server = await startProxmoxEndpoint(tls, { authorization: TOKEN, answers });
    });
    afterAll(async () => {
      await server.close();
      tls.remove();
    });
    const sourceWith = (more: Readonly<Record<string, unknown>> = {}) => {
      const config = proxmoxBackupConfigSchema.parse({
        endpoints: [server.url],
        tokenId: 'patrold@pbs!read',
        tokenSecret: 's3cret',
        caFile: tls.caFile,
        ...more,
      });
      return proxmoxBackupSource.create('backups', config, sourceDeps({ clock: createFakeClock(PBS_NOW_MS) }));
    };

    it('surveys a server, the certificate that it shows included', async () => {
      const source = sourceWith();
      const { claims, readings, gaps } = await source.survey(surveyRequest());
      expect(gaps).toEqual([]);
      expect(new Set(claims.map(({ kind }) => kind))).toEqual(
        new Set(['host', 'datastore', 'filesystem', 'vm', 'container']),
      );
      expect(new Set(readings.map(({ kind }) => kind))).toEqual(
        new Set(['backup', 'backup_verification', 'capacity', 'certificate', 'clock', 'storage_state', 'upkeep']),
      );
      const certificate = readings.find(({ kind }) => kind === 'certificate');
      expect(certificate).toMatchObject({ ref: 'server', invalidReason: null });
      await source.close();
    });

    it('asks with GET alone', async () => {
      expect(server.asked.every((path) => !path.includes('ticket'))).toBe(true);
    });

    it('says in a sentence what answers there', async () => {
      const source = sourceWith();
      expect(await source.probe(AbortSignal.timeout(10_000))).toBe(
        `Proxmox Backup Server 4.1 at ${server.url}: 1 datastores`,
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
