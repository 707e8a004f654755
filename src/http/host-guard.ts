/**
 * On loopback, a web page whose own name is made to point to this machine (DNS rebinding) could ask in the visitor's
 * stead. It can not choose `Host`: that names the page, so only names of this machine, and addresses, are let through.
 */
import { isIP } from 'node:net';
import { type Failure, fail } from '../capabilities/answer.ts';

const HOST = /^(?:\[([0-9a-fA-F:.]+)\]|([^:[\]]+))(?::\d{1,5})?$/;

/** `extra`: the name that patrold was told to listen on. Without any `Host` no browser asks. */
export const isHostAllowed = (header: string | undefined, extra: string): boolean => {
  if (header === undefined || header === '') return true;
  const [, bracketed, plain] = HOST.exec(header) ?? [];
  const host = (bracketed ?? plain ?? '').toLowerCase();
  return isIP(host) !== 0 || host === 'localhost' || (host !== '' && host === extra.toLowerCase());
};

export const hostRefusal = (): Failure<'host_not_allowed'> =>
  fail(
    'host_not_allowed',
    'Host names another machine: behind a proxy, let it send the address that patrold listens on',
  );
