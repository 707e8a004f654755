/** /proc/<pid>/mountinfo (proc_pid_mountinfo(5)). */

export interface Mount {
  /** `major:minor` of the superblock. */
  readonly device: string;
  /** Which directory of the file system is mounted; `/` unless it is a bind mount or a subvolume. */
  readonly root: string;
  readonly mountPoint: string;
  /** Of this mount alone. */
  readonly mountOptions: readonly string[];
  readonly fsType: string;
  readonly source: string;
  /** Of the superblock: true for every mount of it, in every namespace. */
  readonly superOptions: readonly string[];
}

export interface Mountinfo {
  readonly mounts: readonly Mount[];
  /** Lines that are none. */
  readonly malformed: number;
}

export const parseMountinfo = (text: string): Mountinfo => {
  const mounts: Mount[] = [];
  let malformed = 0;
  for (const line of text.split('\n')) {
    if (line === '') continue;
    const mount = parseLine(line);
    if (mount === null) malformed += 1;
    else mounts.push(mount);
  }
  return { mounts, malformed };
};

/** The kernel writes blanks, tabs, newlines and backslashes in paths as three octal digits. */
const unescapePath = (path: string): string =>
  path.replace(/\\([0-7]{3})/g, (_, digits: string) => String.fromCharCode(Number.parseInt(digits, 8)));

const parseLine = (line: string): Mount | null => {
  const fields = line.split(' ');
  const separator = fields.indexOf('-', 6);
  const [, , device, root, mountPoint, mountOptions] = fields;
  const [fsType, source, superOptions] = separator === -1 ? [] : fields.slice(separator + 1);
  if (device === undefined || root === undefined || mountPoint === undefined || mountOptions === undefined) return null;
  if (fsType === undefined || source === undefined || !/^\d+:\d+$/.test(device)) return null;
  return {
    device,
    root: unescapePath(root),
    mountPoint: unescapePath(mountPoint),
    mountOptions: mountOptions.split(','),
    fsType,
    source: unescapePath(source),
    superOptions: (superOptions ?? '').split(','),
  };
};

/**
 * `emergency_ro` and `shutdown` are ext4's since Linux 6.15: after an error it refuses writes without calling itself
 * read-only.
 */
export const isReadOnly = ({ superOptions }: Mount): boolean =>
  superOptions.includes('ro') || superOptions.includes('emergency_ro') || superOptions.includes('shutdown');
