/** What udev found out about a block device: /run/udev/data, readable to all. */
import type { RootReader } from './root-reader.ts';

export type UdevRecord = ReadonlyMap<string, string>;

/** Lines `E:KEY=value`; other lines are udev's own affairs. */
const parseUdevRecord = (text: string): UdevRecord => {
  const record = new Map<string, string>();
  for (const [, key, value] of text.matchAll(/^E:([A-Z0-9_]+)=(.*)$/gm)) {
    if (key !== undefined && value !== undefined) record.set(key, value);
  }
  return record;
};

/** Empty where there is no udev (containers, small systems). `device` is `major:minor`. */
export const readUdevRecord = async (reader: RootReader, device: string): Promise<UdevRecord> => {
  const read = await reader.readText(`/run/udev/data/b${device}`, 65_536);
  return read.kind === 'read' ? parseUdevRecord(read.text) : new Map();
};
