/** Markdown as the generated pages write it. */

/** `|` would end a cell, and a line break the row. */
const cell = (text: string): string => text.replaceAll('|', '\\|').replaceAll(/\s*\n\s*/g, ' ');

export const table = (titles: readonly string[], rows: readonly (readonly string[])[]): string =>
  [
    `| ${titles.join(' | ')} |`,
    `| ${titles.map(() => '---').join(' | ')} |`,
    ...rows.map((row) => `| ${row.map(cell).join(' | ')} |`),
  ].join('\n');

export const code = (text: string): string => `\`${text}\``;

/** What begins with a word, and not with `host:port` or a name that is written small. */
const BEGINS_SMALL = /^(?!systemd\b)[a-z]+(?:[\s,]|:\s)/;

/** A sentence, whether its author wrote it as one or not. */
export const sentence = (text: string): string => {
  const trimmed = text.trim();
  if (trimmed === '') return '';
  const begun = BEGINS_SMALL.test(trimmed) ? `${trimmed.charAt(0).toUpperCase()}${trimmed.slice(1)}` : trimmed;
  return /[.:!?]$/.test(begun) ? begun : `${begun}.`;
};

/** A page that says from what it is made, since editing it is lost work. */
export const page = (title: string, madeFrom: string, ...parts: readonly string[]): string =>
  `${[`# ${title}`, `<!-- Made by \`npm run docs\` from ${madeFrom}. Edit that, not this. -->`, ...parts].join('\n\n')}\n`;
