/** Connections of the HTTP client: TCP, unix socket or TLS, ready to be written to only once trust is settled. */
import { readFile } from 'node:fs/promises';
import net from 'node:net';
import tls from 'node:tls';
import { HttpFailureError, httpFailure } from './http-failure.ts';

/** How the other side proves itself, and we to it. Files are PEM and read once, at the first connection. */
export interface TlsOptions {
  readonly caFile?: string | undefined;
  readonly certFile?: string | undefined;
  readonly keyFile?: string | undefined;
  /**
   * SHA-256 of the server's own certificate, hex with or without colons. It is the whole trust then: chain, name and
   * dates are not looked at, as with Proxmox and SSH. Of several, one must be the one that is shown.
   */
  readonly fingerprint?: string | readonly string[] | undefined;
  /** For SNI and the name check, where it differs from the URL's host. */
  readonly serverName?: string | undefined;
  /** `report`: connect whatever the certificate is and tell what was wrong with it. Refused together with credentials. */
  readonly verify?: 'require' | 'report' | undefined;
}

/** What the server showed. Instants are epoch milliseconds. */
export interface PeerTls {
  readonly subject: string;
  readonly fingerprint256: string;
  readonly notBeforeMs: number;
  readonly notAfterMs: number;
  /** node's name of why a client would refuse it (`CERT_HAS_EXPIRED`); null: it is trusted, or pinned. */
  readonly refusedBecause: string | null;
}

export interface ConnectTarget {
  readonly origin: string;
  readonly host: string;
  readonly port: number;
  readonly secure: boolean;
  readonly socketPath: string | null;
  readonly tls: TlsOptions;
}

interface TlsMaterial {
  readonly ca?: Buffer;
  readonly cert?: Buffer;
  readonly key?: Buffer;
}

const HEX = /^[0-9A-F]{64}$/;

/** 64 upper-case hex digits, or null where it is no SHA-256. */
export const normalizeFingerprint = (text: string): string | null => {
  const hex = text
    .replace(/^sha-?256[:=]?/i, '')
    .replaceAll(/[:\s]/g, '')
    .toUpperCase();
  return HEX.test(hex) ? hex : null;
};

/** Reads the files that `tls` names; an unreadable one is a failure that names the file and the remedy. */
export const loadTlsMaterial = async (target: ConnectTarget): Promise<TlsMaterial> => {
  const read = async (name: string, path: string | undefined): Promise<Record<string, Buffer>> => {
    if (path === undefined) return {};
    try {
      return { [name]: await readFile(path) };
    } catch (cause) {
      const code = (cause as NodeJS.ErrnoException).code ?? 'unreadable';
      const reason = `${name}File ${path} for ${target.origin} can't be read (${code}): check the path, and that patrold's user may read it`;
      throw new HttpFailureError(httpFailure('http_tls_files', reason), { cause });
    }
  };
  const { caFile, certFile, keyFile } = target.tls;
  return { ...(await read('ca', caFile)), ...(await read('cert', certFile)), ...(await read('key', keyFile)) };
};

const text = (value: string | string[] | undefined): string => (Array.isArray(value) ? value.join(' ') : (value ?? ''));

/** What the server of a connected socket showed; null without TLS. */
export const peerOf = (socket: net.Socket, target: ConnectTarget): PeerTls | null => {
  if (!(socket instanceof tls.TLSSocket)) return null;
  const certificate = socket.getPeerCertificate();
  if (certificate.fingerprint256 === undefined) return null;
  const error: unknown = socket.authorizationError;
  const refused = error instanceof Error ? ((error as NodeJS.ErrnoException).code ?? error.message) : error;
  return {
    subject: text(certificate.subject?.CN) || text(certificate.subjectaltname),
    fingerprint256: certificate.fingerprint256,
    notBeforeMs: Date.parse(certificate.valid_from),
    notAfterMs: Date.parse(certificate.valid_to),
    refusedBecause: pinsOf(target.tls).length > 0 || socket.authorized ? null : String(refused),
  };
};

/** The pinned fingerprints as they were written; empty: none is pinned. */
export const pinsOf = ({ fingerprint }: TlsOptions): readonly string[] =>
  fingerprint === undefined ? [] : typeof fingerprint === 'string' ? [fingerprint] : fingerprint;

const checkPin = (socket: tls.TLSSocket, target: ConnectTarget): HttpFailureError | null => {
  const pins = pinsOf(target.tls);
  if (pins.length === 0) return null;
  const shown = socket.getPeerCertificate().fingerprint256 ?? 'none';
  if (pins.some((pin) => normalizeFingerprint(shown) === normalizeFingerprint(pin))) return null;
  const reason = `${target.origin} shows a certificate with fingerprint ${shown}, not the pinned one: if it was renewed on purpose, put the new one into the config; if not, someone may be in between`;
  return new HttpFailureError(httpFailure('http_fingerprint_mismatch', reason));
};

const tlsOptions = (target: ConnectTarget, material: TlsMaterial): tls.ConnectionOptions => {
  const { verify, serverName } = target.tls;
  const name = serverName ?? target.host;
  return {
    ...material,
    rejectUnauthorized: pinsOf(target.tls).length === 0 && verify !== 'report',
    ALPNProtocols: ['http/1.1'],
    // SNI allows names only (RFC 6066, section 3); the name check still needs to know an address.
    ...(net.isIP(name) === 0 ? { servername: name } : {}),
  };
};

/** Opens one connection and hands it over only when it may be written to; `done` is called exactly once. */
export const openConnection = (
  target: ConnectTarget,
  material: TlsMaterial,
  timeoutMs: number,
  done: (error: Error | null, socket: net.Socket) => void,
): net.Socket => {
  const address = target.socketPath === null ? { host: target.host, port: target.port } : { path: target.socketPath };
  const socket = target.secure ? tls.connect({ ...address, ...tlsOptions(target, material) }) : net.connect(address);
  const finish = (error: Error | null): void => {
    clearTimeout(timer);
    socket.off('error', finish).off('close', closed);
    if (error !== null) {
      socket.on('error', () => undefined);
      socket.destroy();
    }
    done(error, socket);
  };
  const closed = (): void => finish(Object.assign(new Error('closed'), { code: 'ECONNRESET' }));
  const timer = setTimeout(() => {
    const reason = `${target.origin} did not accept a connection within connectMs = ${timeoutMs} ms: check the network, or a firewall`;
    finish(new HttpFailureError({ ...httpFailure('http_timeout', reason), errno: 'ETIMEDOUT' }));
  }, timeoutMs);
  socket.once('error', finish).once('close', closed);
  socket.once(target.secure ? 'secureConnect' : 'connect', () =>
    finish(socket instanceof tls.TLSSocket ? checkPin(socket, target) : null),
  );
  return socket;
};
