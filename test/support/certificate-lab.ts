/** Throw-away server certificates of every condition, made by openssl. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export interface ServedFiles {
  readonly cert: string;
  readonly key: string;
}

export interface CertificateLab {
  readonly caFile: string;
  /** Signed by the CA for localhost and 127.0.0.1 unless told otherwise; offsets in days from now. */
  issue(name: string, options?: IssueOptions): ServedFiles;
  selfSigned(name: string): ServedFiles;
  fileOf(name: string): string;
  remove(): void;
}

export interface IssueOptions {
  readonly startDays?: number;
  readonly endDays?: number;
  readonly altNames?: string;
  /** Name of an issued CA certificate that signs instead of the root, and is sent along. */
  readonly issuer?: string;
  readonly isCa?: boolean;
}

const CONFIG = `
[ca]
default_ca = lab
[lab]
dir = .
database = index.txt
new_certs_dir = issued
serial = serial
default_md = sha256
policy = any
unique_subject = no
[any]
commonName = supplied
[req]
distinguished_name = dn
prompt = no
[dn]
CN = unused
`;

const DAY_MS = 86_400_000;

/** `20260102030405Z`, as openssl wants it. */
const asn1Time = (atMs: number): string => `${new Date(atMs).toISOString().replace(/[-:T]|\.\d+Z/g, '')}Z`;

export const createCertificateLab = (): CertificateLab => {
  const directory = mkdtempSync(join(tmpdir(), 'patrold-certificates-'));
  const at = (name: string): string => join(directory, name);
  const openssl = (...args: readonly string[]): void => {
    execFileSync('openssl', args, { cwd: directory, stdio: 'pipe', timeout: 30_000 });
  };
  const newKey = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-config', 'lab.cnf'] as const;
  writeFileSync(at('lab.cnf'), CONFIG);
  writeFileSync(at('index.txt'), '');
  writeFileSync(at('serial'), '1000\n');
  mkdirSync(at('issued'));
  openssl('req', '-x509', ...newKey, '-keyout', 'ca.key', '-out', 'ca.pem', '-days', '30', '-subj', '/CN=lab CA');
  const filesOf = (name: string): ServedFiles => ({
    cert: readFileSync(at(`${name}.pem`), 'utf8'),
    key: readFileSync(at(`${name}.key`), 'utf8'),
  });
  return {
    caFile: at('ca.pem'),
    fileOf: (name) => at(`${name}.pem`),
    issue: (
      name,
      { startDays = -1, endDays = 30, altNames = 'DNS:localhost,IP:127.0.0.1', issuer = 'ca', isCa = false } = {},
    ) => {
      openssl('req', ...newKey, '-keyout', `${name}.key`, '-out', `${name}.csr`, '-subj', `/CN=${name}`);
      const extensions = isCa ? 'basicConstraints=critical,CA:TRUE' : `subjectAltName=${altNames}`;
      writeFileSync(at(`${name}.ext`), `${extensions}\n`);
      const nowMs = Date.now();
      const dates = [
        '-startdate',
        asn1Time(nowMs + startDays * DAY_MS),
        '-enddate',
        asn1Time(nowMs + endDays * DAY_MS),
      ];
      const signer = ['-cert', `${issuer}.pem`, '-keyfile', `${issuer}.key`];
      openssl(
        'ca',
        '-config',
        'lab.cnf',
        '-batch',
        '-notext',
        ...signer,
        ...dates,
        '-in',
        `${name}.csr`,
        '-out',
        `${name}.pem`,
        '-extfile',
        `${name}.ext`,
      );
      const own = filesOf(name);
      return issuer === 'ca' ? own : { ...own, cert: own.cert + readFileSync(at(`${issuer}.pem`), 'utf8') };
    },
    selfSigned: (name) => {
      openssl(
        'req',
        '-x509',
        ...newKey,
        '-keyout',
        `${name}.key`,
        '-out',
        `${name}.pem`,
        '-days',
        '30',
        '-subj',
        `/CN=${name}`,
      );
      return filesOf(name);
    },
    remove: () => rmSync(directory, { recursive: true, force: true }),
  };
};
