/** A large estate as a Prometheus would tell it: recorded answers by named query, written to a directory. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const HOSTS = 1_000;
const DATA_MOUNTS = 5;
const DISKS = 2;
const GIB = 2 ** 30;
/** A host, its root and data filesystems, its disks, and its scrape target. */
export const RESOURCES = HOSTS * (1 + 1 + DATA_MOUNTS + DISKS + 1);
/** A full filesystem, or a busy CPU, on every fifth host. */
export const FAULTS = HOSTS / 5;

type Labels = Readonly<Record<string, string>>;
type Point = readonly [labels: Labels, value: number];

const target = (host: number): Labels => ({ job: 'node', instance: `host${host}.example:9100` });

const hosts = Array.from({ length: HOSTS }, (_, index) => index);
const perHost = (value: (host: number) => readonly Point[]): readonly Point[] => hosts.flatMap(value);

/** Faults alternate: a filesystem at 97 %, or a CPU at 95 %. */
const isFaulty = (host: number): boolean => host % 5 === 0;
const hasFullDisk = (host: number): boolean => isFaulty(host) && host % 10 === 0;
const hasBusyCpu = (host: number): boolean => isFaulty(host) && host % 10 !== 0;

const filesystem = (host: number, mountpoint: string, device: string, usedRatio: number): readonly Point[] => {
  const labels = { ...target(host), mountpoint, device, fstype: 'ext4' };
  const size = 100 * GIB;
  const free = size * (1 - usedRatio);
  const values: readonly (readonly [string, number])[] = [
    ['size_bytes', size],
    ['free_bytes', free],
    ['avail_bytes', free],
    ['files', 6_000_000],
    ['files_free', 5_000_000],
    ['readonly', 0],
    ['device_error', 0],
  ];
  return values.map(([name, value]) => [{ ...labels, __name__: `node_filesystem_${name}` }, value]);
};

const answers = (atS: number): Readonly<Record<string, readonly Point[]>> => ({
  targets_up: perHost((host) => [[{ ...target(host), __name__: 'up' }, 1]]),
  targets_scraped: perHost((host) => [[target(host), atS - (host % 15)]]),
  node_uname: perHost((host) => [
    [{ ...target(host), nodename: `host${host}`, sysname: 'Linux', release: '6.1.0', machine: 'x86_64' }, 1],
  ]),
  node_boot: perHost((host) => [[target(host), atS - 86_400 * 30 - host]]),
  node_nics: perHost((host) => [
    [
      {
        ...target(host),
        device: 'eth0',
        address: `02:00:00:00:${(host >> 8).toString(16).padStart(2, '0')}:${(host & 255).toString(16).padStart(2, '0')}`,
      },
      1,
    ],
  ]),
  node_cpu: perHost((host) => {
    const busy = hasBusyCpu(host) ? 0.95 : 0.1 + (host % 40) / 100;
    return (
      [
        ['idle', 1 - busy],
        ['user', busy * 0.8],
        ['system', busy * 0.2],
        ['iowait', 0],
        ['steal', 0],
      ] as const
    ).map(([mode, value]) => [{ ...target(host), mode }, value] as const);
  }),
  node_cpu_observed: perHost((host) => [[target(host), 1]]),
  node_memory_total: perHost((host) => [[target(host), 16 * GIB]]),
  node_memory_available: perHost((host) => [[target(host), (6 + (host % 8)) * GIB]]),
  node_memory_observed: perHost((host) => [[target(host), 1]]),
  node_filesystems: perHost((host) => [
    ...filesystem(host, '/', '/dev/sda1', 0.3),
    ...Array.from({ length: DATA_MOUNTS }, (_, index) =>
      filesystem(host, `/srv/${index}`, `/dev/sdb${index + 1}`, hasFullDisk(host) && index === 0 ? 0.97 : 0.4),
    ).flat(),
  ]),
  node_disks: perHost((host) =>
    Array.from(
      { length: DISKS },
      (_, index) =>
        [
          {
            ...target(host),
            device: `sd${'ab'[index] ?? 'z'}`,
            model: 'WDC WD40EFRX',
            serial: `S${host}-${index}`,
            wwn: `0x5000${(host * DISKS + index).toString(16).padStart(12, '0')}`,
            rotational: '1',
          },
          1,
        ] as const,
    ),
  ),
});

const body = (points: readonly Point[], atS: number): string =>
  JSON.stringify({
    status: 'success',
    data: { resultType: 'vector', result: points.map(([metric, value]) => ({ metric, value: [atS, String(value)] })) },
  });

/** Writes the answers as recorded at `atMs`. */
export const writeEstate = (directory: string, atMs: number): void => {
  mkdirSync(directory, { recursive: true });
  const atS = atMs / 1000;
  for (const [name, points] of Object.entries(answers(atS)))
    writeFileSync(join(directory, `${name}.json`), body(points, atS));
};
