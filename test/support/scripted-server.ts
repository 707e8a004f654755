/** A real HTTP server on an ephemeral port that answers as a test says, and counts what it was asked. */
import http from 'node:http';
import https from 'node:https';
import net, { type AddressInfo } from 'node:net';

export interface ScriptedServer {
  /** `http://127.0.0.1:port`, https with TLS options; empty for a unix socket. */
  readonly url: string;
  readonly requests: http.IncomingMessage[];
  readonly connections: () => number;
  close(): Promise<void>;
}

export interface ScriptedServerOptions {
  readonly tls?: https.ServerOptions;
  readonly socketPath?: string;
}

export const startScriptedServer = async (
  answer: (request: http.IncomingMessage, response: http.ServerResponse) => void,
  options: ScriptedServerOptions = {},
): Promise<ScriptedServer> => {
  const requests: http.IncomingMessage[] = [];
  let connections = 0;
  const listener: http.RequestListener = (request, response) => {
    requests.push(request);
    answer(request, response);
  };
  const server = options.tls === undefined ? http.createServer(listener) : https.createServer(options.tls, listener);
  server.on('connection', () => {
    connections += 1;
  });
  await new Promise<void>((resolve) => {
    if (options.socketPath === undefined) server.listen(0, '127.0.0.1', resolve);
    else server.listen(options.socketPath, resolve);
  });
  const scheme = options.tls === undefined ? 'http' : 'https';
  const url = options.socketPath === undefined ? `${scheme}://127.0.0.1:${(server.address() as AddressInfo).port}` : '';
  return {
    url,
    requests,
    connections: () => connections,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
};

/** A TCP server that is no HTTP server: it does what `onSocket` says with each connection. */
export const startRawServer = async (
  onSocket: (socket: net.Socket) => void,
): Promise<{ readonly url: string; close(): Promise<void> }> => {
  const sockets = new Set<net.Socket>();
  const server = net.createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined);
    onSocket(socket);
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        for (const socket of sockets) socket.destroy();
      }),
  };
};
