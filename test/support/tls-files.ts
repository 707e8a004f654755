/** Throw-away certificates made by openssl: a CA, a server for localhost and 127.0.0.1, a client, an expired server. */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export interface TlsFiles {
  readonly caFile: string;
  readonly certFile: string;
  readonly keyFile: string;
  readonly clientCertFile: string;
  readonly clientKeyFile: string;
  readonly expiredCertFile: string;
  readonly expiredKeyFile: string;
  remove(): void;
}

export const hasOpenssl = (): boolean => {
  try {
    execFileSync('openssl', ['version'], { stdio: 'ignore', timeout: 10_000 });
    return true;
  } catch {
    return false;
  }
};

export const makeTlsFiles = (): TlsFiles => {
  const directory = mkdtempSync(join(tmpdir(), 'patrold-tls-'));
  const at = (name: string): string => join(directory, name);
  const openssl = (...args: readonly string[]): void => {
    execFileSync('openssl', args, { cwd: directory, stdio: 'ignore', timeout: 30_000 });
  };
  const newKey = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes'] as const;
  openssl('req', '-x509', ...newKey, '-keyout', 'ca.key', '-out', 'ca.pem', '-days', '30', '-subj', '/CN=test CA');
  writeFileSync(at('san'), 'subjectAltName=DNS:localhost,IP:127.0.0.1\n');
  const signed = (name: string, days: string): void => {
    openssl('req', ...newKey, '-keyout', `${name}.key`, '-out', `${name}.csr`, '-subj', `/CN=${name}`);
    const ca = ['-CA', 'ca.pem', '-CAkey', 'ca.key', '-CAcreateserial', '-days', days, '-extfile', 'san'];
    openssl('x509', '-req', '-in', `${name}.csr`, '-out', `${name}.pem`, ...ca);
  };
  signed('server', '30');
  signed('client', '30');
  signed('expired', '-1');
  return {
    caFile: at('ca.pem'),
    certFile: at('server.pem'),
    keyFile: at('server.key'),
    clientCertFile: at('client.pem'),
    clientKeyFile: at('client.key'),
    expiredCertFile: at('expired.pem'),
    expiredKeyFile: at('expired.key'),
    remove: () => rmSync(directory, { recursive: true, force: true }),
  };
};
