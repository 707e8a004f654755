import { expect, test } from 'vitest';
import { createEvidenceBook } from '../../src/tools/evidence-book.ts';
import { readMetrics } from '../../src/tools/read-metrics.ts';
import { readAnswer } from '../support/shown-rows.ts';
import { openToolScene } from '../support/tool-scene.ts';

const FILESYSTEM = 'nas1/filesystem/root';

test('without a resource, use of everything is listed, the highest first', async () => {
  const { text } = await openToolScene('prometheus-busy', { runsBefore: 0 });
  const { rows } = readAnswer(await text(readMetrics, {}));
  expect(rows[0]).toEqual([
    'web1',
    expect.any(String),
    'cpu',
    expect.objectContaining({ busy: expect.stringMatching(/^9\d/) }),
  ]);
});

test('the past of a resource is told metric by metric, each with an id to cite it by', async () => {
  const { text, context } = await openToolScene('disk-fills-up');
  const { rows } = readAnswer(await text(readMetrics, { resource: FILESYSTEM, hours: 48 }));
  const used = rows.find(([metric]) => metric === 'space.usedBytes');
  expect(used?.[2]).toMatchObject({ samples: expect.any(Number), first: expect.stringMatching(/iB$/) });
  expect(context.evidence.get(String(used?.[1]))).toMatchObject({ kind: 'series', resourceId: FILESYSTEM });
});

test('a few samples of one metric are told one by one, the newest of this run among them', async () => {
  const { text, context } = await openToolScene('disk-fills-up', { runsBefore: 4 });
  const answer = readAnswer(await text(readMetrics, { resource: FILESYSTEM, metric: 'space.usedBytes' }));
  expect(answer.columns).toEqual(['at', 'value']);
  expect(answer.rows).toHaveLength(5);
  expect(answer.rows.at(-1)?.[0]).toBe(`${new Date(context.nowMs).toISOString().slice(0, 16)}Z`);
});

test('many samples are told in stretches, and of those without one it is said that nothing was observed', async () => {
  const { text, context } = await openToolScene('host-is-well');
  const hour = 3_600_000;
  const old = Array.from({ length: 40 }, (_, index) => ({
    atMs: context.nowMs - 24 * hour + index * (hour / 5),
    value: index * 2 ** 30,
    windowMs: 0,
  }));
  const past = { metricsOf: () => ['space.usedBytes'], samples: () => old };
  const answer = readAnswer(
    await text(readMetrics, { resource: FILESYSTEM, metric: 'space.usedBytes', hours: 24 }, { past }),
  );
  expect(answer.columns).toEqual(['from', 'mean', 'least', 'most']);
  expect(answer.rows).toHaveLength(24);
  expect(answer.rows[0]?.slice(1)).toEqual(['2 GiB', '0 B', '4 GiB']);
  expect(answer.rows.filter((row) => row[1] === 'not observed')).toHaveLength(16);
});

test('the same question gives the same id, in whatever order questions are asked', async () => {
  const { text, context } = await openToolScene('disk-fills-up', { runsBefore: 4 });
  const ask = async (metrics: readonly string[]) => {
    const evidence = createEvidenceBook(context.ledger);
    const found = new Map<string, string | undefined>();
    for (const metric of metrics) {
      const answer = await text(readMetrics, { resource: FILESYSTEM, metric, hours: 48 }, { evidence });
      found.set(metric, /Evidence id: (\w+)/.exec(answer)?.[1]);
    }
    return found;
  };
  const there = await ask(['space.usedBytes', 'space.sizeBytes']);
  const back = await ask(['space.sizeBytes', 'space.usedBytes']);
  expect([...there].toSorted()).toEqual([...back].toSorted());
  expect(new Set(there.values()).size).toBe(2);
});

test('a metric that the resource does not have is answered with those that it has', async () => {
  const { text } = await openToolScene('host-is-well');
  const { rows } = readAnswer(await text(readMetrics, { resource: 'nas1', metric: 'no.such' }));
  expect(rows.map(([metric]) => metric)).toContain('cpu.busyRatio');
});
