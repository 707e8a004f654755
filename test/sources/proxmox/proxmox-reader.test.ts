import { expect, it } from 'vitest';
import { z } from 'zod';
import { proxmoxLimits } from '../../../src/sources/proxmox/proxmox-limits.ts';
import { apiPath, createProxmoxReader } from '../../../src/sources/proxmox/proxmox-reader.ts';
import type { ProxmoxTransport } from '../../../src/sources/proxmox/proxmox-transport.ts';

const answering = (body: string, status = 200, reasonPhrase = 'OK'): ProxmoxTransport => ({
  origin: () => 'https://pve.example:8006',
  request: () => Promise.resolve({ ok: true, value: { status, reasonPhrase, body } }),
  close: () => undefined,
});
const readerOf = (transport: ProxmoxTransport) => createProxmoxReader(transport, new AbortController().signal);

it('drops what does not fit of a list, and counts it', async () => {
  const body = JSON.stringify({ data: [{ vmid: 100 }, { vmid: 'x' }, null, { vmid: 101, more: true }] });
  const read = await readerOf(answering(body)).list('/cluster/resources', z.object({ vmid: z.number() }));
  expect(read).toMatchObject({ ok: true, value: { items: [{ vmid: 100 }, { vmid: 101 }], dropped: 2 } });
  expect(JSON.stringify(read)).toContain('vmid');
});

it.each([
  ['not JSON', '<html>', 'not JSON'],
  ['half an answer', '{"data":[{"vm', 'not JSON'],
  ['no envelope', '[1]', 'without data'],
  ['an envelope without data', '{"success":1}', 'without data'],
  ['no list', '{"data":null}', 'no list'],
  ['no list but an object', '{"data":{"a":1}}', 'no list'],
])('does not take %s for an empty list', async (_what, body, words) => {
  const read = await readerOf(answering(body)).list('/nodes', z.unknown());
  expect(read).toMatchObject({ ok: false, failure: { code: 'malformed', reason: expect.stringContaining(words) } });
});

it('asks no more questions at once than its limit, and counts them', async () => {
  let now = 0;
  let most = 0;
  const transport: ProxmoxTransport = {
    ...answering('{"data":1}'),
    request: async () => {
      now += 1;
      most = Math.max(most, now);
      await Promise.resolve();
      now -= 1;
      return { ok: true, value: { status: 200, reasonPhrase: 'OK', body: '{"data":1}' } };
    },
  };
  const reader = readerOf(transport);
  await Promise.all(Array.from({ length: 50 }, () => reader.get('/version', z.number())));
  expect(most).toBeLessThanOrEqual(proxmoxLimits.questionsAtOnce);
  expect(reader.requests()).toBe(50);
});

it('encodes each part of a path', () => {
  expect(apiPath('nodes', 'pve1', 'qemu', 100, 'config')).toBe('/nodes/pve1/qemu/100/config');
  expect(apiPath('nodes', '../access', 'a?b')).toBe('/nodes/..%2Faccess/a%3Fb');
});
