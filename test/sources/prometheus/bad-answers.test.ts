import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import type { Gap } from '../../../signals/survey.ts';
import { prometheusConfigSchema } from '../../../src/sources/prometheus/prometheus-config.ts';
import { prometheusSource } from '../../../src/sources/prometheus/prometheus-source.ts';
import type { Sighting } from '../../../src/sources/source.ts';
import { STANDING_GAPS } from '../../../src/sources/survey-source.ts';
import { createMemoryState } from '../../support/memory-state.ts';
import { surveyingOf } from '../../support/prometheus-survey.ts';
import {
  healthyVectors,
  type Interference,
  type ScriptedPrometheusOptions,
  startScriptedPrometheus,
} from '../../support/scripted-prometheus.ts';
import type { ScriptedServer } from '../../support/scripted-server.ts';
import { sourceDeps } from '../../support/source-deps.ts';
import { temporaryDirectory } from '../../support/temporary-directory.ts';

const servers: ScriptedServer[] = [];
afterEach(async () => {
  await Promise.all(servers.splice(0).map((server) => server.close()));
});

const NOW_MS = 1_767_225_600_000;
const HOST = 'host:node/nas1:9100';

const start = async (options: Partial<ScriptedPrometheusOptions> = {}): Promise<ScriptedServer> => {
  const server = await startScriptedPrometheus({ nowMs: () => NOW_MS, vectors: healthyVectors(NOW_MS), ...options });
  servers.push(server);
  return server;
};

const survey = async (
  interfere: Interference,
  more: Partial<ScriptedPrometheusOptions> = {},
  config: Readonly<Record<string, unknown>> = {},
): Promise<Sighting> => {
  const server = await start({ interfere, ...more });
  return surveyingOf(server.url, { nowMs: () => NOW_MS, config })();
};

const broken = (sighting: Sighting): readonly Gap[] => sighting.gaps.filter(({ code }) => !STANDING_GAPS.has(code));
const has = (sighting: Sighting, kind: string): boolean => sighting.readings.some((reading) => reading.kind === kind);
const lists = (sighting: Sighting): readonly string[] => sighting.listed.map(({ kind }) => kind);

it('a healthy answer has no gap, so that what follows is the fault of what was broken', async () => {
  const sighting = await survey(() => false);
  expect(sighting.gaps).toEqual([]);
  expect(sighting.claims.find(({ ref }) => ref === HOST)?.expects.toSorted()).toEqual(['boot', 'cpu', 'memory']);
  expect(lists(sighting)).toContain('host');
});

describe('what makes a survey fail as a whole', () => {
  it.each([
    ['a page of HTML', 200, '<html>login</html>', /not JSON/],
    ['another API', 200, '{"hello":"world"}', /no Prometheus/],
    ['wrong credentials', 401, 'Unauthorized', /credentials/],
    ['a right that is missing', 403, 'Forbidden', /right/],
    ['a proxy without a backend', 502, 'bad gateway', /502/],
    ['a redirect', 302, '', /redirects/],
    [
      'an error that is told',
      503,
      '{"status":"error","errorType":"unavailable","error":"TSDB not ready"}',
      /TSDB not ready/,
    ],
  ])('%s', async (_title, status, body, reason) => {
    const failing = survey((_request, response) => {
      response.writeHead(status, { location: 'https://elsewhere.example/' }).end(body);
      return true;
    });
    await expect(failing).rejects.toThrowError(
      expect.objectContaining({ code: 'source_not_answering', message: expect.stringMatching(reason) }),
    );
  });

  it('nobody there, with the password not in the reason', async () => {
    const server = await start();
    const { url } = server;
    await server.close();
    const failing = surveyingOf(url, { config: { username: 'me', password: 'hunter2' } })();
    await expect(failing).rejects.toThrowError(/is it running/);
    await expect(failing).rejects.not.toThrowError(/hunter2/);
  });

  it('metric names that can not be read', async () => {
    const failing = survey((request, response) => {
      if (request.url?.includes('/label/') !== true) return false;
      response.writeHead(500).end('boom');
      return true;
    });
    await expect(failing).rejects.toThrowError(/500/);
  });

  it('a password file that is missing', async () => {
    const failing = surveyingOf('http://127.0.0.1:9', {
      config: { username: 'me', passwordFile: '/nonexistent/password' },
    })();
    await expect(failing).rejects.toThrowError(/\/nonexistent\/password can't be read \(ENOENT\)/);
  });
});

describe('what leaves a survey partial, with what it is about unobserved and the rest read', () => {
  const cpuOnly =
    (act: (response: Parameters<Interference>[1]) => void): Interference =>
    (_request, response, promql) => {
      if (!promql.startsWith('avg by (job, instance, mode)')) return false;
      act(response);
      return true;
    };
  it.each([
    [
      'status error',
      (response: Parameters<Interference>[1]) =>
        response.end('{"status":"error","errorType":"execution","error":"found duplicate series"}'),
      'failed',
      'duplicate series',
    ],
    [
      '422 for too many samples',
      (response: Parameters<Interference>[1]) =>
        response
          .writeHead(422)
          .end('{"status":"error","errorType":"execution","error":"query processing would load too many samples"}'),
      'failed',
      'too many samples',
    ],
    [
      '503 after its own timeout',
      (response: Parameters<Interference>[1]) =>
        response.writeHead(503).end('{"status":"error","errorType":"timeout","error":"query timed out"}'),
      'timed_out',
      'query timed out',
    ],
    ['500', (response: Parameters<Interference>[1]) => response.writeHead(500).end('oops'), 'failed', '500'],
    [
      'truncated JSON',
      (response: Parameters<Interference>[1]) =>
        response.end('{"status":"success","data":{"resultType":"vector","result":[{"metric":'),
      'malformed',
      'not JSON',
    ],
    [
      'a connection that breaks inside the answer',
      (response: Parameters<Interference>[1]) =>
        response.writeHead(200, { 'content-length': '500' }).write('{"status":', () => response.destroy()),
      'cut_short',
      'broke off',
    ],
    [
      'a scalar for a vector',
      (response: Parameters<Interference>[1]) =>
        response.end('{"status":"success","data":{"resultType":"scalar","result":[1,"2"]}}'),
      'malformed',
      'neither a vector',
    ],
    [
      'no data at all',
      (response: Parameters<Interference>[1]) => response.end('{"status":"success"}'),
      'malformed',
      'not one of Prometheus',
    ],
  ])('%s', async (_title, act, code, reason) => {
    const sighting = await survey(cpuOnly(act));
    expect(broken(sighting)).toEqual([
      expect.objectContaining({ ref: null, reads: ['cpu'], code, reason: expect.stringContaining(reason) }),
    ]);
    expect(has(sighting, 'cpu')).toBe(false);
    expect(has(sighting, 'memory')).toBe(true);
  });

  it('warnings: what was answered is used, but no list is whole', async () => {
    const sighting = await survey((_request, response, promql) => {
      if (!promql.startsWith('{__name__=~"node_filesystem')) return false;
      response.end(
        JSON.stringify({
          status: 'success',
          warnings: ['store 10.0.0.2 did not answer'],
          data: { resultType: 'vector', result: [] },
        }),
      );
      return true;
    });
    expect(broken(sighting)).toEqual([
      expect.objectContaining({
        reads: ['filesystem'],
        code: 'cut_short',
        reason: expect.stringContaining('10.0.0.2'),
      }),
    ]);
    expect(lists(sighting)).not.toContain('filesystem');
    expect(lists(sighting)).toContain('disk');
  });

  it('notes on the query itself are no warnings', async () => {
    const sighting = await survey((_request, response, promql) => {
      if (promql !== 'node_uname_info') return false;
      const result = [
        { metric: { job: 'node', instance: 'nas1:9100', nodename: 'nas1' }, value: [NOW_MS / 1000, '1'] },
      ];
      response.end(
        JSON.stringify({
          status: 'success',
          infos: ['x'],
          warnings: ['PromQL info: metric might not be a counter'],
          data: { resultType: 'vector', result },
        }),
      );
      return true;
    });
    expect(broken(sighting)).toEqual([]);
    expect(lists(sighting)).toContain('host');
  });

  it('samples that are none are dropped and counted, the batch is kept', async () => {
    const sighting = await survey((_request, response, promql) => {
      if (promql !== 'up') return false;
      const good = { metric: { job: 'node', instance: 'nas1:9100' }, value: [NOW_MS / 1000, '1'] };
      const bad = [
        null,
        7,
        { metric: 'x', value: [1, '1'] },
        { metric: { a: 1 }, value: [1, '1'] },
        { metric: {}, value: ['1', '1'] },
        { metric: {}, value: [1, 'abc'] },
        { metric: {} },
      ];
      response.end(JSON.stringify({ status: 'success', data: { resultType: 'vector', result: [good, ...bad] } }));
      return true;
    });
    expect(broken(sighting)).toEqual([
      expect.objectContaining({
        code: 'malformed',
        reason: '7 of 8 series in the answer to targets_up are not understood',
      }),
    ]);
    expect(has(sighting, 'target')).toBe(true);
    expect(lists(sighting)).not.toContain('host');
  });

  it.each(['NaN', '+Inf', '-Inf'])('%s is no measurement: what it was about is missing, and said', async (value) => {
    const vectors = {
      ...healthyVectors(NOW_MS),
      node_memory_MemTotal_bytes: [[{ job: 'node', instance: 'nas1:9100' }, Number(value.replace('Inf', 'Infinity'))]],
    } as const;
    const sighting = await survey(
      (_request, response, promql) => {
        if (promql !== 'node_memory_MemTotal_bytes') return false;
        response.end(
          JSON.stringify({
            status: 'success',
            data: {
              resultType: 'vector',
              result: [{ metric: { job: 'node', instance: 'nas1:9100' }, value: [NOW_MS / 1000, value] }],
            },
          }),
        );
        return true;
      },
      { vectors },
    );
    expect(has(sighting, 'memory')).toBe(false);
    expect(has(sighting, 'cpu')).toBe(true);
  });

  it('an empty Prometheus, of which nothing is listed', async () => {
    const sighting = await survey(() => false, { vectors: {} });
    expect(broken(sighting)).toEqual([expect.objectContaining({ ref: null, reads: [], code: 'empty' })]);
    expect(sighting.listed).toEqual([]);
  });

  it('machines that share job and instance, since nothing of them can be told apart', async () => {
    const vectors = healthyVectors(NOW_MS);
    const [first] = vectors['node_uname_info'] ?? [];
    const two = {
      ...vectors,
      node_uname_info: [first, [{ ...first?.[0], nodename: 'other', site: 'b' }, 1]],
    } as ScriptedPrometheusOptions['vectors'];
    const sighting = await survey(() => false, { vectors: two });
    expect(broken(sighting)).toContainEqual(
      expect.objectContaining({ code: 'malformed', reason: expect.stringContaining('narrow what is read with match') }),
    );
    expect(sighting.listed).toEqual([]);
  });

  it.each([
    ['ahead', 600_000, 'future'],
    ['behind', -600_000, 'stale'],
  ])('a clock that is %s: corrected in what was read, and said', async (_title, offsetMs, code) => {
    const server = await start({ nowMs: () => NOW_MS + offsetMs });
    const sighting = await surveyingOf(server.url, { nowMs: () => NOW_MS })();
    expect(broken(sighting)).toEqual([
      expect.objectContaining({ ref: null, code, reason: expect.stringContaining('600 s') }),
    ]);
    const cpu = sighting.readings.find(({ kind }) => kind === 'cpu');
    expect(cpu?.takenAtMs).toBe(NOW_MS - 5_000);
  });
});

describe('a Prometheus that is cut off in the middle', () => {
  it('is partial, claims and lists nothing that it did not see, and is soon left alone', async () => {
    for (const after of [3, 4, 5, 6, 8, 10, 12]) {
      const server = await start({
        interfere: (request, _response, _promql, count) => {
          if (count <= after) return false;
          request.socket.destroy();
          return true;
        },
      });
      const sighting = await surveyingOf(server.url, { nowMs: () => NOW_MS })();
      expect(broken(sighting).length, `after ${after} answers`).toBeGreaterThan(0);
      expect(broken(sighting).every(({ ref }) => ref === null)).toBe(true);
      const unseen = new Set(broken(sighting).flatMap(({ reads }) => reads));
      for (const { kind } of sighting.readings)
        expect(unseen.has(kind) && kind !== 'target' && kind !== 'boot', `${kind} after ${after}`).toBe(false);
      expect(lists(sighting)).not.toContain('filesystem');
      expect(server.requests.length, 'not asked for ever').toBeLessThan(after + 20);
    }
  });

  it('keeps what it knew: hosts that were down, and when events were last looked for', async () => {
    const state = createMemoryState({
      'hosts-down': [{ key: 'node\nold:9100', nodename: 'old', bootS: 1, macs: [], collectors: [] }],
      'evaluated-at-ms': 5,
    });
    const server = await start({
      vectors: { ...healthyVectors(NOW_MS), node_vmstat_oom_kill: [] },
      interfere: (request, _response, _promql, count) => {
        if (count <= 2) return false;
        request.socket.destroy();
        return true;
      },
    });
    await surveyingOf(server.url, { nowMs: () => NOW_MS, state })();
    expect(state.get('hosts-down')).toHaveLength(1);
    expect(state.get('evaluated-at-ms')).toBe(5);
  });
});

it('asks nothing that has no metric there', async () => {
  const server = await start();
  await surveyingOf(server.url, { nowMs: () => NOW_MS })();
  const asked = server.requests.map(({ url }) => decodeURIComponent(url ?? ''));
  expect(asked.filter((url) => /smartctl|container_|probe_|zfs|systemd|node_md|edac/.test(url))).toEqual([]);
  expect(asked.length).toBeLessThan(20);
});

it('sends headers and credentials with every question', async () => {
  const server = await start();
  const config = { token: 'abc', headers: { 'X-Scope-OrgID': 'home' } };
  await surveyingOf(server.url, { nowMs: () => NOW_MS, config })();
  const sent = server.requests.map(({ headers }) => [headers.authorization, headers['x-scope-orgid']].join(' '));
  expect(new Set(sent)).toEqual(new Set(['Bearer abc home']));
});

it('reads a token from its file again after it was refused', async () => {
  const tokenFile = join(temporaryDirectory(), 'token');
  writeFileSync(tokenFile, 'old\n');
  const server = await start({
    interfere: (request, response) => {
      if (request.headers.authorization === 'Bearer new') return false;
      response.writeHead(401).end();
      return true;
    },
  });
  const survey = surveyingOf(server.url, { nowMs: () => NOW_MS, config: { tokenFile } });
  await expect(survey()).rejects.toThrowError(/credentials/);
  writeFileSync(tokenFile, 'new\n');
  expect(broken(await survey())).toEqual([]);
});

it('answers a probe with a sentence, or with a coded error', async () => {
  const server = await start();
  const sourceAt = (url: string) =>
    prometheusSource.create('metrics', prometheusConfigSchema.parse({ url }), sourceDeps());
  const source = sourceAt(server.url);
  expect(await source.probe(AbortSignal.timeout(5_000))).toBe(
    `Prometheus at ${server.url} has 10 metrics, 9 of which patrold reads`,
  );
  await source.close();
  await server.close();
  await expect(sourceAt(server.url).probe(AbortSignal.timeout(5_000))).rejects.toThrowError(
    expect.objectContaining({ code: 'source_not_answering' }),
  );
});
