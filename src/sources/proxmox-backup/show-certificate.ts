/** The certificate of the first endpoint that shows one. */
import type { PeerTls } from '../../runtime/http-tls.ts';
import { connect } from '../checks/connect.ts';
import type { ProxmoxBackupConfig } from './proxmox-backup-config.ts';
import type { ShowCertificate } from './world.ts';

const TIMEOUT_MS = 10_000;
const HTTPS_PORT = 443;

/** Nothing is sent on these connections. */
export const createShowCertificate =
  ({ endpoints, caFile }: Pick<ProxmoxBackupConfig, 'endpoints' | 'caFile'>): ShowCertificate =>
  async (signal): Promise<PeerTls | null> => {
    for (const endpoint of endpoints) {
      const { origin, hostname, port } = new URL(endpoint);
      const connected = await connect(
        {
          origin,
          host: hostname.replace(/^\[|\]$/g, ''),
          port: port === '' ? HTTPS_PORT : Number(port),
          secure: true,
          trust: { caFile, fingerprint: undefined, insecure: true },
          timeoutMs: TIMEOUT_MS,
        },
        signal,
      );
      if (connected.ok && connected.peer !== null) return connected.peer;
    }
    return null;
  };
