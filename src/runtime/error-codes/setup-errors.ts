/** Codes of usage, config, tokens and the address to listen on. */
import type { ErrorMeanings } from './error-meaning.ts';

export const setupErrors = {
  http_client_invalid: {
    meaning: 'The address or the trust settings of something reached over HTTP can not work as they are written.',
    remedy: 'Correct the URL, fingerprint or credentials that the message names.',
  },
  wrong_usage: {
    meaning: 'A command was called in a way that it can not work.',
    remedy: '`patrold help <command>` shows how.',
  },
  config_invalid: {
    meaning: 'The config has problems; all of them are listed with their places.',
    remedy: 'Correct them; `patrold check-config` lists what is left.',
  },
  config_unreadable: {
    meaning: 'The config file that was named can not be read.',
    remedy: 'Check its path and its rights; it needs to be readable for the user that patrold runs as.',
  },
  token_invalid: {
    meaning: 'A token can not be made like this: its name, its scopes, or there are too many.',
    remedy: 'Correct what the message names; `patrold token list` shows those there are.',
  },
  token_file_unwritable: {
    meaning: 'The token of the first start can not be written to the data directory.',
    remedy: 'Make the data directory writable for the user that patrold runs as, and start again.',
  },
  http_listen_invalid: {
    meaning: 'The address to listen on is not a host and a port.',
    remedy: 'Write `http.listen` as host:port, such as `127.0.0.1:7790` or `[::1]:7790`, or `off`.',
  },
  http_listen_in_use: {
    meaning: 'Something else listens on the address already; perhaps another patrold.',
    remedy: 'Stop it, or set `http.listen` to another port.',
  },
  http_listen_not_permitted: {
    meaning: 'The system does not let patrold listen on that port.',
    remedy: 'Ports below 1024 need a privilege: set `http.listen` to a higher one.',
  },
  http_listen_unavailable: {
    meaning: 'The address to listen on is none of this machine, or its name can not be resolved.',
    remedy: 'Set `http.listen` to an address that `ip address` shows, or to `127.0.0.1:7790`.',
  },
} as const satisfies ErrorMeanings;
