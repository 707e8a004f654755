/** What the id of a task of a backup server tells: `UPID:node:pid:pstart:task:starttime:type:id:user:`, hexadecimal. */

export interface Upid {
  readonly node: string;
  readonly startedAtMs: number;
  readonly type: string;
}

const UPID =
  /^UPID:([A-Za-z0-9](?:[A-Za-z0-9.-]{0,252})):[0-9A-F]{8}:[0-9A-F]{8,9}:[0-9A-F]{8,16}:([0-9A-F]{8,16}):([^:\s]+):/i;

/** Null where it is none. */
export const parseUpid = (text: string): Upid | null => {
  const [, node, start, type] = UPID.exec(text) ?? [];
  if (node === undefined || start === undefined || type === undefined) return null;
  return { node, startedAtMs: Number.parseInt(start, 16) * 1000, type };
};
