/** Network bonds: how many of their members are up, since node_exporter does not name them. */
import { cleanText } from '../../../runtime/text.ts';
import { targetKey } from '../answer.ts';
import { label, lastValue } from '../answers.ts';
import { defineArea } from '../area.ts';
import { anyOf } from '../promql.ts';
import { addReading } from '../survey-world.ts';

const MEMBERS = 64;

export const bondsArea = defineArea({
  name: 'bonds',
  queries: [
    {
      name: 'node_bonds',
      needs: ['node_bonding_slaves', 'node_bonding_active'],
      reads: ['bond'],
      promql: ({ select }) => anyOf(select, ['node_bonding_slaves', 'node_bonding_active']),
    },
  ],
  map: (world) => {
    const byBond = Map.groupBy(
      world.answers.series('node_bonds'),
      ({ labels }) => `${targetKey(labels)}\n${label(labels, 'master')}`,
    );
    for (const parts of byBond.values()) {
      const labels = parts[0]?.labels ?? {};
      const host = world.hosts.ofNode(labels);
      const values = new Map(parts.map((series) => [label(series.labels, '__name__'), lastValue(series)]));
      const all = values.get('node_bonding_slaves');
      const active = values.get('node_bonding_active');
      // A bond without members is set up and not in use.
      if (host === null || all === undefined || active === undefined || all <= 0) continue;
      const members = Array.from({ length: Math.min(MEMBERS, all) }, (_, index) => ({
        name: `unnamed ${index + 1}`,
        up: index < active,
      }));
      addReading(world, host.ref, labels, { kind: 'bond', name: cleanText(label(labels, 'master'), 64), members });
    }
  },
});
