/** A transport that answers from a table by path, as recordings do, and counts what it was asked. */
import { httpFailure } from '../../src/runtime/http-failure.ts';
import type { ProxmoxRequest, ProxmoxTransport } from '../../src/sources/proxmox/proxmox-transport.ts';

/** A status with its reason phrase, or a failure of the connection. */
export class Refusal {
  readonly status: number | 'unreachable' | 'timeout' | 'half';
  readonly phrase: string;
  constructor(status: Refusal['status'], phrase = '') {
    this.status = status;
    this.phrase = phrase;
  }
}

/** `data` by path with its query, or by path alone; a function is called with the request. */
export type AnswerTable = Readonly<Record<string, unknown>>;

export interface TableTransport extends ProxmoxTransport {
  readonly asked: string[];
  /** From now on. */
  answer(table: AnswerTable): void;
}

const urlOf = ({ path, params }: ProxmoxRequest): string => {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(params).sort()) if (value !== undefined) query.append(name, String(value));
  return query.size === 0 ? path : `${path}?${query.toString()}`;
};

export const tableTransport = (first: AnswerTable): TableTransport => {
  let table = first;
  const asked: string[] = [];
  return {
    asked,
    origin: () => 'https://pve1.example:8006',
    answer: (next) => {
      table = next;
    },
    request: (request) => {
      const url = urlOf(request);
      asked.push(url);
      const found = table[url] ?? table[request.path];
      const value: unknown = typeof found === 'function' ? found(request) : found;
      if (value instanceof Refusal) return Promise.resolve(refused(value));
      if (value === undefined) {
        return Promise.resolve({
          ok: true,
          value: { status: 501, reasonPhrase: 'not implemented', body: '{"data":null}' },
        });
      }
      return Promise.resolve({
        ok: true,
        value: { status: 200, reasonPhrase: 'OK', body: JSON.stringify({ data: value }) },
      });
    },
    close: () => undefined,
  };
};

const refused = ({ status, phrase }: Refusal): Awaited<ReturnType<ProxmoxTransport['request']>> => {
  switch (status) {
    case 'unreachable':
      return { ok: false, failure: httpFailure('http_unreachable', 'pve1.example refused the connection') };
    case 'timeout':
      return { ok: false, failure: httpFailure('http_timeout', 'pve1.example did not answer in time') };
    case 'half':
      return { ok: true, value: { status: 200, reasonPhrase: 'OK', body: '{"data":[{"ty' } };
    default:
      return { ok: true, value: { status, reasonPhrase: phrase, body: '{"data":null}' } };
  }
};
