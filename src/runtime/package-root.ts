/** Where patrold is installed: the directory of its package.json, with migrations/ and scenarios/ in it. */
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** Found upwards from `from`, so that it holds for the sources and for dist/ alike. */
export const packageRoot = (from: string = import.meta.dirname): string => {
  if (existsSync(join(from, 'package.json'))) return from;
  const parent = dirname(from);
  // Without a manifest the installation is broken; what is looked for next says so by its own name.
  return parent === from ? import.meta.dirname : packageRoot(parent);
};
