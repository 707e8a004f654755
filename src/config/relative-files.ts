/** Paths of secrets and certificates are read beside the config that names them, wherever the daemon was started. */
import { isAbsolute, join } from 'node:path';

const isFileKey = (key: string): boolean => key.endsWith('File');

export const resolveFiles = (root: unknown, directory: string): unknown => {
  if (Array.isArray(root)) return root.map((item) => resolveFiles(item, directory));
  if (typeof root !== 'object' || root === null) return root;
  const entries = Object.entries(root).map(([key, value]): [string, unknown] => {
    const relative = isFileKey(key) && typeof value === 'string' && value !== '' && !isAbsolute(value);
    return [key, relative ? join(directory, value) : resolveFiles(value, directory)];
  });
  return Object.fromEntries(entries);
};
