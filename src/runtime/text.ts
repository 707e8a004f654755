/** Makes text that others wrote (names, log lines, error messages) fit to be shown, stored and logged. */

/** Terminal control sequences: CSI (colours, cursor) and OSC (titles, links), ECMA-48 sections 5.4 and 5.6. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is to be removed.
const TERMINAL_SEQUENCES = /\u001b\[[0-?]{0,64}[ -/]{0,16}[@-~]|\u001b\][^\u0007\u001b]{0,512}(?:\u0007|\u001b\\)/g;

/**
 * What can't be seen but changes what is seen: bidi controls, zero-width and other format characters, fillers,
 * variation selectors, tag characters, unpaired surrogates.
 */
const INVISIBLE = /[\p{Cf}\p{Cs}\p{Default_Ignorable_Code_Point}]/gu;
/** Controls apart from those that separate words. */
const CONTROLS = /[^\P{Cc}\t\n\v\f\r\u0085]/gu;
const SPACES = /[\s\u0085]+/g;
const ELLIPSIS = '…';
/** Words of visible ASCII with single blanks between them: nothing to clean, as with nearly every name there is. */
const CLEAN = /^[!-~]+(?: [!-~]+)*$/;

/**
 * One line of visible text, at most `maxLength` UTF-16 units (at least 1), with an ellipsis where it was cut.
 * Cleaning twice changes nothing. It says nothing about what the text means: that stays the writer's.
 */
export const cleanText = (value: string, maxLength: number): string => {
  if (value.length <= maxLength && CLEAN.test(value)) return value;
  const visible = value
    .replace(TERMINAL_SEQUENCES, '')
    .replace(INVISIBLE, '')
    .replace(CONTROLS, '')
    .replace(SPACES, ' ')
    .trim();
  if (visible.length <= maxLength) return visible;
  const kept = visible.slice(0, Math.max(0, maxLength - ELLIPSIS.length));
  // A cut in the middle of a character would leave half of it.
  return `${kept.replace(/[\ud800-\udbff]$/, '').trimEnd()}${ELLIPSIS}`;
};
