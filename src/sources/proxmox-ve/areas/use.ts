/** CPU and memory: what the lists say now, and the window of whatever looks high or is due. */
import type { ReadingBody } from '../../../../signals/reading.ts';
import { isDue } from '../../proxmox/due.ts';
import { apiPath } from '../../proxmox/proxmox-reader.ts';
import type { VeGuest, VeNode } from '../estate.ts';
import { guestStatus } from '../guest-status.ts';
import { type RrdPoint, rrdPoint, timeframeFor, windowMean } from '../history-window.ts';
import { nodeMemoryBytes } from '../node-memory.ts';
import { proxmoxVeLimits } from '../proxmox-ve-limits.ts';
import type { VeArea, VeWorld } from '../world.ts';

/** Where limits ask for no window. */
const DEFAULT_WINDOW_MS = 15 * 60_000;

interface Subject {
  readonly ref: string;
  readonly path: string;
  readonly cpuRatio: number;
  readonly memoryRatio: number;
  readonly isNode: boolean;
  readonly excludesCache: boolean;
  readonly totalBytes: number;
  readonly usedBytes: number;
}

const longest = (windowsMs: readonly number[]): number => windowsMs.at(-1) ?? DEFAULT_WINDOW_MS;

export const useArea: VeArea = {
  name: 'use',
  read: async (world) => {
    const { estate } = world;
    const subjects = [
      ...estate.nodes.flatMap((node) => nodeSubject(world, node)),
      ...estate.guests.flatMap(guestSubject),
    ];
    const asked = new Set(chooseForHistory(world, subjects));
    await Promise.all(subjects.map((subject) => readUse(world, subject, asked.has(subject))));
  },
};

const nodeSubject = (world: VeWorld, node: VeNode): readonly Subject[] => {
  const { stats, name, ref } = node;
  if (node.online === false || stats?.cpu === undefined || stats.mem === undefined || !stats.maxmem) return [];
  return [
    {
      ref,
      path: apiPath('nodes', name),
      cpuRatio: stats.cpu,
      memoryRatio: stats.mem / stats.maxmem,
      isNode: true,
      // The cache of ZFS counts as used, unless the history tells its size.
      excludesCache: !world.estate.storages.some(
        ({ plugin, onNodes }) => plugin === 'zfspool' && onNodes.some((on) => on.node.name === name),
      ),
      totalBytes: stats.maxmem,
      usedBytes: stats.mem,
    },
  ];
};

const guestSubject = ({ ref, type, vmid, node, stats, isTemplate }: VeGuest): readonly Subject[] => {
  const isUp = guestStatus(stats.status).power === 'running';
  if (isTemplate || !isUp || node?.online === false || stats.cpu === undefined || stats.mem === undefined) return [];
  if (!stats.maxmem) return [];
  return [
    {
      ref,
      path: apiPath('nodes', stats.node, type, vmid),
      cpuRatio: stats.cpu,
      memoryRatio: stats.mem / stats.maxmem,
      isNode: false,
      // Of a virtual machine nobody outside knows what is cache; a container's figure leaves it out.
      excludesCache: type === 'lxc',
      totalBytes: stats.maxmem,
      usedBytes: stats.mem,
    },
  ];
};

/** Nodes once an hour; whatever looks high, at any time, the highest first. High memory of a virtual machine proves nothing. */
const chooseForHistory = (world: VeWorld, subjects: readonly Subject[]): readonly Subject[] => {
  const due = isDue(world, 'hourly') ? subjects.filter(({ isNode }) => isNode) : [];
  const { suspectCpuRatio, suspectMemoryRatio, suspectsPerSurvey } = proxmoxVeLimits;
  const worst = (subject: Subject): number =>
    Math.max(
      subject.cpuRatio / suspectCpuRatio,
      subject.excludesCache || subject.isNode ? subject.memoryRatio / suspectMemoryRatio : 0,
    );
  const suspects = subjects.filter((subject) => worst(subject) >= 1).sort((a, b) => worst(b) - worst(a));
  return [...due, ...suspects.filter((subject) => !due.includes(subject)).slice(0, suspectsPerSurvey)];
};

const readUse = async (world: VeWorld, subject: Subject, withHistory: boolean): Promise<void> => {
  const { ask, clock, out, request } = world;
  const nowMs = clock.nowMs();
  const cpuMs = longest(request.windowsMs.cpu);
  const memoryMs = longest(request.windowsMs.memory);
  const read = withHistory
    ? await ask.list(`${subject.path}/rrddata`, rrdPoint, {
        timeframe: timeframeFor(Math.max(cpuMs, memoryMs)),
        cf: 'AVERAGE',
      })
    : null;
  const points = read?.ok === true ? read.value.items : [];
  out.read(subject.ref, cpuReading(subject, points, cpuMs), nowMs);
  out.read(subject.ref, memoryReading(subject, points, memoryMs), nowMs);
};

const cpuReading = ({ cpuRatio }: Subject, points: readonly RrdPoint[], windowMs: number): ReadingBody => {
  const past = windowMean(points, windowMs, ({ cpu }) => cpu);
  const iowait = windowMean(points, windowMs, (point) => point.iowait);
  return {
    kind: 'cpu',
    busyRatio: past?.mean ?? cpuRatio,
    iowaitRatio: iowait?.mean ?? null,
    stealRatio: null,
    windowMs: past === null ? 0 : windowMs,
    observedRatio: past?.observedRatio ?? 1,
  };
};

const memoryReading = (subject: Subject, points: readonly RrdPoint[], windowMs: number): ReadingBody => {
  const { isNode, usedBytes, totalBytes, excludesCache } = subject;
  const ofPoint = (point: RrdPoint): number | undefined =>
    isNode ? nodeMemoryBytes(point)?.unavailableBytes : point.mem;
  const past = windowMean(points, windowMs, ofPoint);
  const arc = isNode ? windowMean(points, windowMs, (point) => nodeMemoryBytes(point)?.reclaimableArcBytes) : null;
  return {
    kind: 'memory',
    totalBytes,
    unavailableBytes: Math.min(totalBytes, past?.mean ?? usedBytes),
    reclaimableArcBytes: arc?.mean ?? null,
    excludesCache: excludesCache || arc !== null,
    windowMs: past === null ? 0 : windowMs,
    observedRatio: past?.observedRatio ?? 1,
  };
};
