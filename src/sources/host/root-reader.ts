/** The port through which the host source reads files of the watched machine; paths start at that machine's root. */

/** Why nothing was read. `absent` also covers attributes that the kernel does not have for this device. */
export type ReadFailure =
  | { readonly kind: 'absent' }
  | { readonly kind: 'denied' }
  | { readonly kind: 'failed'; readonly reason: string };

export type TextRead = { readonly kind: 'read'; readonly text: string; readonly cut: boolean } | ReadFailure;
export type BytesRead = { readonly kind: 'read'; readonly bytes: Buffer } | ReadFailure;
/** Names sorted, at most {@link LISTED_NAMES}. */
export type ListRead =
  | { readonly kind: 'read'; readonly names: readonly string[]; readonly cut: boolean }
  | ReadFailure;

/** Figures of statfs(2), in bytes and inodes. */
export interface MountSpace {
  readonly sizeBytes: number;
  readonly freeBytes: number;
  /** What unprivileged users may still write. */
  readonly availableBytes: number;
  readonly inodesTotal: number;
  readonly inodesFree: number;
  /** `f_type` of statfs(2); null: not known. */
  readonly magic: number | null;
  /** `major:minor` of what the path really leads to; null: not known. */
  readonly device: string | null;
}

export type SpaceRead = { readonly kind: 'read'; readonly space: MountSpace } | ReadFailure;

export interface SpaceRequest {
  readonly mountPoint: string;
  /** Behind a network or a daemon: asked in a process of its own, since the answer may never come. */
  readonly remote: boolean;
  readonly signal: AbortSignal;
}

/** Nothing here throws: what happens to a file is data. */
export interface RootReader {
  /** Where the machine's root is mounted: `/`, or `/host` in a container. */
  readonly root: string;
  readText(path: string, maxBytes?: number): Promise<TextRead>;
  /** The last `maxBytes` of a file. */
  readTail(path: string, maxBytes: number): Promise<BytesRead>;
  list(path: string): Promise<ListRead>;
  /** The path with all links resolved, from the machine's root; null: there is none. */
  realPath(path: string): Promise<string | null>;
  space(request: SpaceRequest): Promise<SpaceRead>;
}

/** Of one text file; the largest that is read (a journal apart) is a machine's mountinfo, some 100 KiB. */
export const TEXT_BYTES = 1_048_576;
export const LISTED_NAMES = 4_096;

/** The trimmed text of a small file, or null where there is none to be had. */
export const readLine = async (reader: RootReader, path: string): Promise<string | null> => {
  const read = await reader.readText(path, 4_096);
  if (read.kind !== 'read') return null;
  const text = read.text.trim();
  return text === '' ? null : text;
};

/** A small file that holds one number, as sysfs has them; null where it holds none. */
export const readNumber = async (reader: RootReader, path: string): Promise<number | null> => {
  const text = await readLine(reader, path);
  if (text === null || !/^-?\d+$/.test(text)) return null;
  return Number(text);
};

/** The names in a directory, none where it can't be read. */
export const namesIn = async (reader: RootReader, path: string): Promise<readonly string[]> => {
  const read = await reader.list(path);
  return read.kind === 'read' ? read.names : [];
};
