/** Stands before a real server, passes everything on, and can be told to cut every connection from some request on. */
import { once } from 'node:events';
import { request as ask, createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface CuttingProxy {
  readonly url: string;
  /** Requests that came in since it started or was last restored. */
  requests(): number;
  /**
   * The request with this number, from 1, still goes through to the server, and its answer is cut in the middle; then
   * `onCut` is called. Those after it are refused.
   */
  cutFrom(request: number, onCut?: () => void): void;
  restore(): void;
  close(): Promise<void>;
}

/** So much of an answer is let through before the connection is cut. */
const TORN_BYTES = 20;

export const startCuttingProxy = async (target: string): Promise<CuttingProxy> => {
  let seen = 0;
  let cutAt = Number.POSITIVE_INFINITY;
  let hearCut = (): void => undefined;
  const pass = (answer: IncomingMessage, body: Buffer, response: ServerResponse, torn: boolean): void => {
    const { 'content-type': type = '', 'content-encoding': encoding } = answer.headers;
    const compressed = encoding === undefined ? {} : { 'content-encoding': encoding };
    response.writeHead(answer.statusCode ?? 502, {
      'content-type': type,
      'content-length': body.length,
      ...compressed,
    });
    if (!torn) return void response.end(body);
    response.write(body.subarray(0, TORN_BYTES), () => response.destroy());
    hearCut();
  };
  const server = createServer((request, response) => {
    seen += 1;
    const mine = seen;
    if (mine > cutAt) return void response.destroy();
    const { host: _, ...headers } = request.headers;
    const onward = ask(`${target}${request.url}`, { method: request.method, headers, agent: false }, (answer) => {
      const chunks: Buffer[] = [];
      answer.on('data', (chunk: Buffer) => chunks.push(chunk));
      answer.on('end', () => pass(answer, Buffer.concat(chunks), response, mine === cutAt));
    });
    onward.on('error', () => response.destroy());
    request.pipe(onward);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests: () => seen,
    cutFrom: (request, onCut = () => undefined) => {
      seen = 0;
      cutAt = request;
      hearCut = onCut;
    },
    restore: () => {
      seen = 0;
      cutAt = Number.POSITIVE_INFINITY;
    },
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
};
