/** What is wrong with a config: where it stands, and what would be right. */

export type ConfigPath = readonly (string | number)[];

export interface ConfigProblem {
  /** `sources[1].url`; empty for the whole file. */
  readonly path: string;
  /** 1-based; null where it does not stand in the file. */
  readonly line: number | null;
  readonly column: number | null;
  readonly message: string;
  readonly suggestion: string | null;
}

export const formatPath = (path: ConfigPath): string =>
  path.map((part, index) => (typeof part === 'number' ? `[${part}]` : index === 0 ? part : `.${part}`)).join('');

/** `patrold.yaml:12:5 alerts.guest.cpuu: unknown key; did you mean "cpu"?` */
export const formatProblem = (
  { path, line, column, message, suggestion }: ConfigProblem,
  file: string | null,
): string => {
  const place = line === null ? (file ?? '') : `${file ?? 'config'}:${line}:${column ?? 1}`;
  const what = path === '' ? message : `${path}: ${message}`;
  return `${place === '' ? '' : `${place} `}${what}${suggestion === null ? '' : `; ${suggestion}`}`;
};
