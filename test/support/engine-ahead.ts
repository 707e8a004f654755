/**
 * A real engine as it would answer later, had nothing happened since: its own clock is told ahead, what it remembers stays
 * when it was. Half an hour of quiet can be looked back on without waiting for it.
 */
import { once } from 'node:events';
import { request as ask, createServer } from 'node:http';
import { join } from 'node:path';
import { temporaryDirectory } from './temporary-directory.ts';

export interface EngineAhead {
  readonly socketPath: string;
  setAhead(byMs: number): void;
  close(): Promise<void>;
}

/** `SystemTime` of `/info` and `read` of `/stats` are the engine's now; everything else in its answers is past. */
const NOW_FIELDS = /"(SystemTime|read)":"([^"]+)"/g;

export const startEngineAhead = async (engineSocket: string): Promise<EngineAhead> => {
  let aheadMs = 0;
  const socketPath = join(temporaryDirectory(), 'ahead.sock');
  const moveNow = (text: string): string =>
    text.replace(NOW_FIELDS, (whole, field: string, at: string) => {
      const ms = Date.parse(at);
      return Number.isNaN(ms) || ms <= 0 ? whole : `"${field}":"${new Date(ms + aheadMs).toISOString()}"`;
    });
  /** What is asked for between two instants of the later clock happened at the same distance from the engine's own. */
  const moveBack = (url: string): string =>
    url.replace(
      /(since|until)=([\d.]+)/g,
      (_, name: string, atS: string) => `${name}=${(Number(atS) - aheadMs / 1000).toFixed(9)}`,
    );
  const server = createServer((request, response) => {
    const onward = ask(
      {
        socketPath: engineSocket,
        method: request.method,
        path: moveBack(request.url ?? '/'),
        headers: { host: 'docker' },
      },
      (answer) => {
        let text = '';
        answer.setEncoding('utf8');
        answer.on('data', (chunk: string) => {
          text += chunk;
        });
        answer.on('end', () => {
          response.writeHead(answer.statusCode ?? 500, {
            'Content-Type': answer.headers['content-type'] ?? 'application/json',
          });
          response.end(moveNow(text));
        });
      },
    );
    onward.on('error', () => response.destroy());
    onward.end();
  });
  server.listen(socketPath);
  await once(server, 'listening');
  return {
    socketPath,
    setAhead: (byMs) => {
      aheadMs += byMs;
    },
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
};
