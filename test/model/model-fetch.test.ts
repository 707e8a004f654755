import { X509Certificate } from 'node:crypto';
import diagnostics from 'node:diagnostics_channel';
import { readFileSync } from 'node:fs';
import net from 'node:net';
import { describe, expect, onTestFinished, test } from 'vitest';
import { createModelFetch, MAX_ANSWER_BYTES } from '../../src/model/model-fetch.ts';
import { chatModel, whileTimePasses } from '../support/chat-model.ts';
import { startScriptedServer } from '../support/scripted-server.ts';
import { hasOpenssl, makeTlsFiles } from '../support/tls-files.ts';

/** Every TCP connection that this process tries to open from now on: where it goes. */
const watchSockets = (): readonly string[] => {
  const tried: string[] = [];
  const hear = (message: unknown): void => {
    const { socket } = message as { readonly socket: net.Socket };
    socket.on('connectionAttempt', (address, port) => tried.push(`${address}:${port}`));
  };
  diagnostics.subscribe('net.client.socket', hear);
  onTestFinished(() => {
    diagnostics.unsubscribe('net.client.socket', hear);
  });
  return tried;
};

test('whole conversations, retries and redirects open connections to the configured server and to no other', async () => {
  const { turn, server, clock } = await chatModel(function* ({ index }) {
    if (index === 1) yield { kind: 'status', status: 500 };
    if (index === 3) yield { kind: 'status', status: 302, headers: { location: 'http://127.0.0.2:9/v1' } };
    yield { kind: 'call', name: 'look', arguments: { at: 'http://192.0.2.1/' } };
  });
  const opened = watchSockets();
  process.env['HTTP_PROXY'] = 'http://127.0.0.3:9';
  process.env['OPENAI_BASE_URL'] = 'http://127.0.0.4:9/v1';
  try {
    await turn();
    await whileTimePasses(clock, turn());
    await turn().catch(() => undefined);
  } finally {
    delete process.env['HTTP_PROXY'];
    delete process.env['OPENAI_BASE_URL'];
  }
  expect(server.requests).toHaveLength(4);
  expect(opened.length).toBeGreaterThan(0);
  expect(new Set(opened)).toEqual(new Set([new URL(server.baseUrl).host]));
});

test('the watch of sockets sees a connection that goes elsewhere', async () => {
  const elsewhere = await startScriptedServer((_request, response) => response.end());
  onTestFinished(elsewhere.close);
  const opened = watchSockets();
  await new Promise<void>((resolve) => {
    const socket = net.connect(Number(new URL(elsewhere.url).port), '127.0.0.1', () => {
      socket.destroy();
      resolve();
    });
  });
  expect(opened).toEqual([new URL(elsewhere.url).host]);
});

test('another origin is refused before anything is opened', async () => {
  const { fetch, close } = createModelFetch('http://127.0.0.1:1/v1', {});
  onTestFinished(close);
  await expect(fetch('http://127.0.0.1:2/v1/models')).rejects.toThrow(
    /was stopped: the config names http:\/\/127\.0\.0\.1:1 alone/,
  );
});

test('an answer without end is cut at its limit', async () => {
  const server = await startScriptedServer((_request, response) => {
    const more = (): void => {
      while (!response.destroyed && response.write(Buffer.alloc(1024 * 1024)));
    };
    response.on('drain', more);
    more();
  });
  const { fetch, close } = createModelFetch(server.url, {});
  onTestFinished(async () => {
    close();
    await server.close();
  });
  const response = await fetch(`${server.url}/endless`);
  await expect(response.arrayBuffer()).rejects.toThrow(new RegExp(`MAX_ANSWER_BYTES = ${MAX_ANSWER_BYTES} bytes`));
});

test('aborting ends a request that is not answered', async () => {
  const server = await startScriptedServer(() => undefined);
  const { fetch, close } = createModelFetch(server.url, {});
  onTestFinished(async () => {
    close();
    await server.close();
  });
  const abort = new AbortController();
  const asked = fetch(`${server.url}/slow`, { signal: abort.signal });
  abort.abort();
  await expect(asked).rejects.toMatchObject({ name: 'AbortError' });
});

describe.skipIf(!hasOpenssl())(`https${hasOpenssl() ? '' : ' (skipped: openssl is not installed)'}`, () => {
  test('a certificate is trusted by its CA or its fingerprint, and nothing is sent to another one', async () => {
    const files = makeTlsFiles();
    const cert = readFileSync(files.certFile, 'utf8');
    const bodies: string[] = [];
    const server = await startScriptedServer(
      (request, response) => {
        request.on('data', (chunk: Buffer) => bodies.push(chunk.toString()));
        request.on('end', () => response.end('ok'));
      },
      { tls: { cert, key: readFileSync(files.keyFile) } },
    );
    const ask = async (tls: { caFile?: string; fingerprint?: string }): Promise<string> => {
      const { fetch, close } = createModelFetch(server.url, tls);
      try {
        return await (await fetch(`${server.url}/v1`, { method: 'POST', body: 'secret' })).text();
      } finally {
        close();
      }
    };
    onTestFinished(async () => {
      await server.close();
      files.remove();
    });
    await expect(ask({})).rejects.toThrow();
    await expect(ask({ fingerprint: '00'.repeat(32) })).rejects.toThrow(/not the pinned one/);
    expect(bodies).toEqual([]);
    expect(await ask({ caFile: files.caFile })).toBe('ok');
    expect(await ask({ fingerprint: new X509Certificate(cert).fingerprint256 })).toBe('ok');
    expect(bodies).toEqual(['secret', 'secret']);
  });
});
