/** /proc/mdstat: the kernel's own words about its software arrays (md(4)). */
import type { ArrayReading, ArrayRebuild } from '../../../signals/reading.ts';

export interface MdArray {
  readonly name: string;
  readonly active: boolean;
  /** `raid1`; `unknown` where an inactive array does not tell. */
  readonly level: string;
  readonly members: readonly MdMember[];
  /** `[required/active]`; null at levels without redundancy. */
  readonly devices: { readonly required: number; readonly active: number } | null;
  readonly rebuild: ArrayRebuild | null;
  /** A container of vendor metadata (IMSM, DDF): its arrays have entries of their own. */
  readonly isContainer: boolean;
}

interface MdMember {
  readonly name: string;
  readonly role: 'active' | 'failed' | 'spare' | 'journal' | 'replacement';
}

const ROLES: Readonly<Record<string, MdMember['role']>> = { F: 'failed', S: 'spare', J: 'journal', R: 'replacement' };
/** Actions as the kernel names them in its progress line. */
const ACTIONS = new Set<string>(['recovery', 'resync', 'reshape', 'check', 'repair']);

export const parseMdstat = (text: string): readonly MdArray[] => {
  const arrays: MdArray[] = [];
  const lines = text.split('\n');
  for (let index = 0; index < lines.length; index += 1) {
    const head = /^(md\S*) : (active|inactive)\b(.*)$/.exec(lines[index] ?? '');
    if (head === null) continue;
    const body: string[] = [];
    while (/^\s+\S/.test(lines[index + 1] ?? '')) {
      index += 1;
      body.push(lines[index] ?? '');
    }
    arrays.push(parseArray(head, body.join('\n')));
  }
  return arrays;
};

const parseArray = ([, name = '', state, rest = '']: RegExpExecArray, body: string): MdArray => {
  const members = parseMembers(rest);
  const words = rest
    .replaceAll(/\([^)]*\)/g, ' ')
    .trim()
    .split(/\s+/);
  const level = words.find((word) => /^(?:raid\d+|linear|faulty|multipath)$/.test(word)) ?? 'unknown';
  const counts = /\[(\d+)\/(\d+)\]/.exec(body);
  const isContainer = /\bsuper external:(?!\/)/.test(body);
  return {
    name,
    active: state === 'active',
    level,
    members,
    devices: counts === null ? null : { required: Number(counts[1]), active: Number(counts[2]) },
    rebuild: parseRebuild(body),
    isContainer,
  };
};

/** `sdb1[1](F)`, `sdc1[2](S)`, `sdd1[3](W)(J)`. */
const parseMembers = (rest: string): readonly MdMember[] =>
  [...rest.matchAll(/(\S+)\[\d+\]((?:\([A-Z]\))*)/g)].map(([, name = '', flags = '']) => ({
    name,
    role:
      [...flags.matchAll(/\(([A-Z])\)/g)].map(([, flag = '']) => ROLES[flag]).find((role) => role !== undefined) ??
      'active',
  }));

/** Delayed ones wait for another array on the same disks; pending ones for the first write, and are not running. */
const parseRebuild = (body: string): ArrayRebuild | null => {
  const [, action = '', done] = /\b(\w+)\s*=\s*(?:(\d+(?:\.\d+)?)%|DELAYED|REMOTE)/.exec(body) ?? [];
  if (!ACTIONS.has(action)) return null;
  return { action: action as ArrayRebuild['action'], doneRatio: Number(done ?? 0) / 100 };
};

/** `isBroken`: the kernel's array_state of an array without redundancy that lost a member. */
export const mdReading = (array: MdArray, raidDisks: number | null, isBroken: boolean): ArrayReading => {
  const failedMembers = array.members.filter(({ role }) => role === 'failed').map(({ name }) => name);
  const working = array.members.filter(({ role }) => role === 'active' || role === 'replacement').length;
  const requiredDevices = array.devices?.required ?? raidDisks ?? Math.max(1, array.members.length);
  const activeDevices = array.devices?.active ?? working;
  return {
    kind: 'array',
    level: array.level,
    requiredDevices,
    activeDevices: !array.active || isBroken ? 0 : Math.min(activeDevices, requiredDevices),
    failedMembers,
    rebuild: array.rebuild,
  };
};
