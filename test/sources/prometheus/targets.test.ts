import { describe, expect, it } from 'vitest';
import { createAnswers } from '../../../src/sources/prometheus/answers.ts';
import { buildTargets, hostPartOf } from '../../../src/sources/prometheus/targets.ts';

describe('the host in an instance', () => {
  it.each([
    ['nas1:9100', 'nas1'],
    ['NAS1.lan:9100', 'nas1.lan'],
    ['nas1', 'nas1'],
    ['[fe80::1]:9100', 'fe80::1'],
    ['2001:db8::1', '2001:db8::1'],
    ['http://web.example:8080/metrics', 'web.example'],
    ['localhost:9090', 'localhost'],
    ['127.0.0.1:9100', 'localhost'],
    ['[::1]:9100', 'localhost'],
    ['', ''],
  ])('%s is %s', (instance, host) => {
    expect(hostPartOf(instance)).toBe(host);
  });
});

it('of two series that share job and instance the one that is down counts', () => {
  const answers = createAnswers();
  const series = (value: number, site: string) => ({
    labels: { job: 'a', instance: 'b', site },
    points: [{ atMs: 0, value }],
  });
  answers.put('targets_up', { series: [series(1, 'x'), series(0, 'y'), series(1, 'z')], incomplete: null });
  expect(buildTargets(answers).all).toEqual([expect.objectContaining({ key: 'a\nb', up: false, scrapedAtMs: null })]);
});
