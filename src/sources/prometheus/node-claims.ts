/** What node_exporter tells of who a machine is. */
import { type Labels, targetKey } from './answer.ts';
import { type Answers, label, lastValue } from './answers.ts';
import { isHardwareAddress } from './virtual-interfaces.ts';

export interface NodeIdentity {
  readonly key: string;
  readonly labels: Labels;
  readonly nodename: string;
  /** Seconds since the epoch, as the kernel's btime; null: not told. */
  readonly bootS: number | null;
  readonly macs: readonly string[];
  /** Collectors of node_exporter by whether their last run succeeded. */
  readonly collectors: ReadonlyMap<string, boolean>;
}

const MACS_OF_A_HOST = 16;

/** `suffix` tells the answers about live targets from the last words of those that are down. */
export const readNodeIdentities = (answers: Answers, suffix: '' | '_down'): ReadonlyMap<string, NodeIdentity> => {
  const boots = new Map(
    answers.series(`node_boot${suffix}`).map((series) => [targetKey(series.labels), Math.round(lastValue(series))]),
  );
  const macs = Map.groupBy(answers.series(`node_nics${suffix}`), ({ labels }) => targetKey(labels));
  const collectors = Map.groupBy(answers.series(`node_collectors${suffix}`), ({ labels }) => targetKey(labels));
  const nodes = new Map<string, NodeIdentity>();
  for (const { labels } of answers.series(`node_uname${suffix}`)) {
    const key = targetKey(labels);
    const nodename = label(labels, 'nodename');
    if (nodename === '') continue;
    nodes.set(key, {
      key,
      labels,
      nodename,
      bootS: boots.get(key) ?? null,
      macs: [...new Set((macs.get(key) ?? []).map((series) => label(series.labels, 'address').toLowerCase()))]
        .filter(isHardwareAddress)
        .toSorted()
        .slice(0, MACS_OF_A_HOST),
      collectors: new Map(
        (collectors.get(key) ?? []).map((series) => [label(series.labels, 'collector'), lastValue(series) === 1]),
      ),
    });
  }
  return nodes;
};

/** Series that share job and instance but name different machines: then nothing of them can be told apart. */
export const nodesInConflict = (answers: Answers): readonly string[] => {
  const names = new Map<string, string>();
  const conflicts = new Set<string>();
  for (const { labels } of answers.series('node_uname')) {
    const key = targetKey(labels);
    const nodename = label(labels, 'nodename');
    const known = names.get(key);
    if (known !== undefined && known !== nodename) conflicts.add(key);
    names.set(key, nodename);
  }
  return [...conflicts];
};

/** One machine that two jobs scrape: same name, same second of boot, and a network card in common. */
export const isSameMachine = (a: NodeIdentity, b: NodeIdentity): boolean =>
  a.nodename === b.nodename && a.bootS !== null && a.bootS === b.bootS && a.macs.some((mac) => b.macs.includes(mac));
