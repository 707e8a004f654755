/** Memory of named containers against their limit, through cAdvisor. */
import { proof } from '../../../../signals/claim.ts';
import { cleanText } from '../../../runtime/text.ts';
import { type Labels, targetKey } from '../answer.ts';
import { label, lastValue } from '../answers.ts';
import { defineArea } from '../area.ts';
import { listChildren } from '../list-children.ts';
import type { NamedQuery, QueryContext } from '../named-query.ts';
import { seconds } from '../promql.ts';
import { addReading, type SurveyWorld } from '../survey-world.ts';

const WORKING_SET = 'container_memory_working_set_bytes';
const named = ({ select }: QueryContext, metric = WORKING_SET): string => select(metric, 'name!=""');
/** cAdvisor writes every label of a container and its image into each series; only the name is of use. */
const byName = (expression: string): string => `max by (job, instance, name) (${expression})`;

const query = (name: string, promql: NamedQuery['promql']): NamedQuery => ({
  name,
  needs: [WORKING_SET],
  reads: ['container_memory'],
  promql,
});

/** The longest span that any cgroup's limit can hold; unlimited is written as 0, or as about 2^63. */
const NO_LIMIT_FROM = 2 ** 60;
/** The task's id in the name of a Swarm container: it is another at each restart. */
const SWARM_TASK = /^(.+\.[a-z0-9]+)\.[a-z0-9]{25}$/;

export const containersArea = defineArea({
  name: 'containers',
  queries: [
    query('container_memory', (context) =>
      byName(`avg_over_time(${named(context)}[${seconds(context.windowMs.memory)}]) and ${named(context)}`),
    ),
    query('container_memory_observed', (context) => {
      const minutes = Math.max(1, Math.round(context.windowMs.memory / 60_000));
      return byName(`count_over_time(${named(context)}[${minutes * 60}s:1m]) / ${minutes}`);
    }),
    // cAdvisor dates its samples itself, and goes on repeating the last of a container that is gone.
    { ...query('container_sampled', (context) => byName(`timestamp(${named(context)})`)), valueIsTime: true },
    {
      ...query('container_limit', (context) => byName(named(context, 'container_spec_memory_limit_bytes'))),
      needs: ['container_spec_memory_limit_bytes'],
    },
  ],
  map: (world) => {
    const { answers } = world;
    const values = (name: string): ReadonlyMap<string, number> =>
      new Map(answers.series(name).map((series) => [containerKey(series.labels), lastValue(series)]));
    const [observed, sampled, limits] = ['container_memory_observed', 'container_sampled', 'container_limit'].map(
      values,
    );
    // Without its limit a container would look as if it had none, without the rest as if it had only begun.
    const isRead = ['container_limit', 'container_sampled', 'container_memory_observed'].every(
      (name) => answers.state(name) !== 'failed',
    );
    for (const series of answers.series('container_memory')) {
      const key = containerKey(series.labels);
      const ref = claimContainer(world, series.labels);
      const limit = limits?.get(key) ?? 0;
      const sampledAtS = sampled?.get(key);
      if (ref === null || !isRead) continue;
      const reading = {
        kind: 'container_memory' as const,
        workingSetBytes: lastValue(series),
        limitBytes: limit > 0 && limit < NO_LIMIT_FROM ? limit : null,
        windowMs: world.context.windowMs.memory,
        observedRatio: Math.min(1, observed?.get(key) ?? 0),
      };
      addReading(world, ref, series.labels, reading, sampledAtS === undefined ? undefined : sampledAtS * 1000);
    }
    listChildren(world, { kind: 'container', queries: ['container_memory'] });
  },
});

const containerKey = (labels: Labels): string => `${targetKey(labels)}\n${label(labels, 'name')}`;

const claimContainer = ({ hosts, out }: SurveyWorld, labels: Labels): string | null => {
  const told = cleanText(label(labels, 'name'), 200);
  const name = SWARM_TASK.exec(told)?.[1] ?? told;
  if (name === '') return null;
  const host = hosts.of(labels);
  const ref = `container:${host.ref}/${name}`;
  out.claim({
    ref,
    kind: 'container',
    name,
    parentRef: host.ref,
    keys: [proof(`container-name:${name}`, 'parent')],
    slug: name,
    expects: ['container_memory'],
  });
  return ref;
};
