/** The address to listen on, and whether only this machine can reach it. */
import { isIPv4, isIPv6 } from 'node:net';
import { PatroldError } from '../runtime/errors.ts';

export interface ListenAddress {
  /** Without the brackets of an IPv6 address. */
  readonly host: string;
  readonly port: number;
}

const LARGEST_PORT = 65_535;

/** Throws `http_listen_invalid`. */
export const parseListen = (text: string): ListenAddress => {
  const [, bracketed, plain, digits] = /^(?:\[([^\]]+)\]|([^:[\]]+)):(\d{1,5})$/.exec(text) ?? [];
  const host = bracketed ?? plain;
  const port = Number(digits);
  const isAddress = host !== undefined && (bracketed === undefined || isIPv6(bracketed.split('%')[0] ?? ''));
  if (!isAddress || port > LARGEST_PORT) {
    throw new PatroldError('http_listen_invalid', `"${text}" is no address to listen on: write host:port`);
  }
  return { host, port };
};

export const isLoopbackAddress = (address: string): boolean => {
  if (isIPv4(address)) return address.startsWith('127.');
  if (!isIPv6(address)) return false;
  // Both ways to write an IPv4 address within IPv6; `URL` brings every spelling to one.
  const canonical = new URL(`http://[${address.split('%')[0] ?? ''}]/`).hostname;
  return canonical === '[::1]' || /^\[::ffff:7f[0-9a-f]{2}:[0-9a-f]{1,4}\]$/.test(canonical);
};

export const formatAddress = ({ host, port }: ListenAddress): string =>
  isIPv6(host) ? `[${host}]:${port}` : `${host}:${port}`;
