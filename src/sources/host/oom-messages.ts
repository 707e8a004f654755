/** The kernel's words about an OOM kill (mm/oom_kill.c), old and new. */
import type { OomKill } from '../../../signals/reading.ts';
import { cleanText } from '../../runtime/text.ts';

export interface KernelMessage {
  readonly atMs: number;
  readonly text: string;
}

const KILLS = 256;
const NAME_CHARACTERS = 64;
const CGROUP_CHARACTERS = 256;

/** What a container's control group looks like: docker, podman, containerd, CRI-O, Kubernetes, LXC, nspawn. */
const CONTAINER =
  /\/docker\/|docker-[0-9a-f]{12,64}|libpod-|\/libpod|cri-containerd|crio-|\/kubepods|\/lxc(?:\.payload)?[./]|\/machine\.slice\/(?:systemd-nspawn|machine-)|\/ecs\/|\/buildkit\/|\/[0-9a-f]{64}(?:\/|$)/;

const KILLED = /Killed process (\d+) \(([^)]{1,64})\)/;
const CAUSE = /^oom-kill:.*\btask_memcg=([^,]+),task=.*,pid=(\d+),/;
/** Before Linux 5.0, and when a whole group is killed. */
const GROUP = /^Tasks? in (\S+) (?:killed as a result of limit of|are going to be killed)/;
const IN_GROUP = /^Memory cgroup out of memory/;

/** Two lines tell of one kill: the cause with the control group, then the kill with the name. */
export const oomKillsIn = (messages: readonly KernelMessage[]): readonly OomKill[] => {
  const kills: OomKill[] = [];
  const cgroups = new Map<string, string>();
  let lastGroup: string | null = null;
  let isInGroup = false;
  for (const { atMs, text } of messages) {
    const [, cgroup, pid] = CAUSE.exec(text) ?? [];
    if (cgroup !== undefined && pid !== undefined) cgroups.set(pid, cgroup);
    lastGroup = GROUP.exec(text)?.[1] ?? lastGroup;
    isInGroup ||= IN_GROUP.test(text);
    const [, killedPid, name] = KILLED.exec(text) ?? [];
    if (killedPid === undefined || name === undefined) continue;
    const known = cgroups.get(killedPid) ?? (isInGroup ? lastGroup : null);
    cgroups.delete(killedPid);
    isInGroup = false;
    kills.push({
      atMs,
      victim: cleanText(name, NAME_CHARACTERS),
      cgroup: known === null ? null : cleanText(known, CGROUP_CHARACTERS),
      inContainer: known !== null && CONTAINER.test(known),
    });
  }
  return kills.slice(-KILLS);
};

/** For `journalctl --grep`, and to tell these lines from others. */
export const OOM_PATTERN = 'Killed process|^oom-kill:|^Tasks? in |^Memory cgroup out of memory';
