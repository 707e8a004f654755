/** Why the server could not listen, as an error that says what to do. */
import { type ErrorCode, PatroldError } from '../runtime/errors.ts';
import { formatAddress, type ListenAddress } from './listen-address.ts';

const CODES: Readonly<Record<string, { readonly code: ErrorCode; readonly what: string }>> = {
  EADDRINUSE: { code: 'http_listen_in_use', what: 'something else listens there already' },
  EACCES: { code: 'http_listen_not_permitted', what: 'the system does not permit it' },
  EPERM: { code: 'http_listen_not_permitted', what: 'the system does not permit it' },
  EADDRNOTAVAIL: { code: 'http_listen_unavailable', what: 'it is no address of this machine' },
  EAFNOSUPPORT: { code: 'http_listen_unavailable', what: 'this machine does not speak that kind of address' },
  EINVAL: { code: 'http_listen_unavailable', what: 'the system does not take it' },
  ENOTFOUND: { code: 'http_listen_unavailable', what: 'its name can not be resolved' },
  EAI_AGAIN: { code: 'http_listen_unavailable', what: 'its name can not be resolved now' },
};

/** An error that is none of these is returned as it was. */
export const listenError = (cause: unknown, address: ListenAddress): unknown => {
  const errno = cause instanceof Error && 'code' in cause ? String(cause.code) : '';
  const known = CODES[errno];
  if (known === undefined) return cause;
  const { host, port } = address;
  return new PatroldError(known.code, `can not listen on ${formatAddress(address)}: ${known.what}`, {
    cause,
    details: { host, port, errno },
  });
};
