/** Whether Prometheus gets an answer from each of its targets. */
import { proof } from '../../../../signals/claim.ts';
import { cleanText } from '../../../runtime/text.ts';
import { targetKey } from '../answer.ts';
import { lastValue } from '../answers.ts';
import { defineArea } from '../area.ts';
import { prometheusLimits } from '../prometheus-limits.ts';
import { whoseLast } from '../promql.ts';
import { isWhole, type SurveyWorld, toOurs } from '../survey-world.ts';
import { hostPartOf, LOCALHOST, type Target } from '../targets.ts';
import { heldSinceMs } from '../trailing-run.ts';

const PAST_SPAN_MS = 2 * 3_600_000;
const PAST_STEP_MS = 60_000;

export const targetsArea = defineArea({
  name: 'targets',
  queries: [
    { name: 'targets_up', needs: ['up'], reads: [], promql: ({ select }) => select('up') },
    {
      name: 'targets_scraped',
      needs: ['up'],
      reads: ['target'],
      promql: ({ select }) => `timestamp(${select('up')})`,
      valueIsTime: true,
    },
    {
      name: 'targets_down_past',
      needs: ['up'],
      reads: ['target'],
      promql: ({ select }) => whoseLast(select('up'), '== 0'),
      range: { spanMs: PAST_SPAN_MS, stepMs: PAST_STEP_MS },
      enriches: true,
      when: (first) => first.series('targets_up').some((series) => lastValue(series) !== 1),
    },
  ],
  map: (world) => {
    const { answers, targets, out } = world;
    const downSince = new Map(
      answers
        .series('targets_down_past')
        .map(({ labels, points }) => [targetKey(labels), heldSinceMs(points, PAST_STEP_MS)]),
    );
    for (const target of targets.all) mapTarget(world, target, downSince.get(target.key) ?? null);
    if (isWhole(world, 'targets_up', 'probe_success')) out.list('endpoint', null);
  },
});

const mapTarget = (world: SurveyWorld, target: Target, downSinceMs: number | null): void => {
  const { out, hosts, sourceId, atMs, config } = world;
  const job = cleanText(target.job, prometheusLimits.nameLength);
  const instance = cleanText(target.instance, prometheusLimits.nameLength);
  const ref = `target:${job}/${instance}`;
  // `localhost` is another machine for every Prometheus.
  const key = hostPartOf(instance) === LOCALHOST ? `target:${sourceId}/${job}/${instance}` : ref;
  out.claim({
    ref,
    kind: 'endpoint',
    name: `${job}/${instance}`,
    keys: [proof(key)],
    parentRef: hosts.known(target.labels)?.ref ?? null,
    status: target.up ? 'running' : 'failed',
    expects: ['target'],
  });
  const takenAtMs = target.scrapedAtMs ?? atMs;
  if (atMs - takenAtMs > config.staleAfter) {
    out.gap({
      ref,
      reads: ['target'],
      code: 'stale',
      reason: `Prometheus has not tried to scrape ${ref} for ${Math.round((atMs - takenAtMs) / 60_000)} min`,
    });
    return;
  }
  const since = target.up || downSinceMs === null ? null : toOurs(world, downSinceMs);
  const lastError = target.up ? null : world.errorOf(target.key);
  out.read(
    ref,
    { kind: 'target', job, instance, up: target.up, downSinceMs: since, lastError },
    toOurs(world, takenAtMs),
  );
};
