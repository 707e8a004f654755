import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { cleanText } from '../../src/runtime/text.ts';

const anyText = fc.string({ unit: 'binary', maxLength: 200 });
const nastyText = fc
  .array(
    fc
      .constantFrom(
        '\u202e',
        '\u2066',
        '\u200b',
        '\u200d',
        '\ufeff',
        '\u00ad',
        '\u3164',
        '\u{e0041}',
        '\ufe0f',
        '\ud83d',
        '\ude00',
      )
      .chain((mark) =>
        fc.tuple(fc.constant(mark), fc.constantFrom('\u001b[31m', '\u0000', '\r\n', '\u0085', 'x', '😀', 'ä')),
      ),
    { maxLength: 40 },
  )
  .map((parts) => parts.flat().join(''));

describe('cleanText', () => {
  it.each([
    ['plain text stays', 'sda: WDC WD40EFRX-68N32N0', 'sda: WDC WD40EFRX-68N32N0'],
    ['other scripts stay', 'Größe 容量 حجم', 'Größe 容量 حجم'],
    ['lines become one', ' first\r\n\tsecond\u0085third\u2028fourth ', 'first second third fourth'],
    ['colours go', '\u001b[1;31mred\u001b[0m', 'red'],
    ['terminal titles and links go', '\u001b]0;owned\u0007a\u001b]8;;http://x\u001b\\b', 'ab'],
    ['lone escapes and other controls go', 'a\u001b\u0000\u0008\u007f\u009bb', 'ab'],
    ['bidi controls go', 'user\u202egnp.exe\u2066\u200f', 'usergnp.exe'],
    ['invisible characters go', 'a\u200bb\u200dc\ufeffd\u00ade\u2060f\u3164g', 'abcdefg'],
    ['hidden tag characters go', `ok${'\u{e0069}\u{e0067}\u{e006e}'}`, 'ok'],
    ['half characters go', 'a\ud83db\ude00c', 'abc'],
  ])('%s', (_title, dirty, clean) => {
    expect(cleanText(dirty, 200)).toBe(clean);
  });

  it('cuts with an ellipsis, never in the middle of a character', () => {
    expect(cleanText('abcdef', 6)).toBe('abcdef');
    expect(cleanText('abcdefg', 6)).toBe('abcde…');
    expect(cleanText('abc defg', 5)).toBe('abc…');
    expect(cleanText('abcd😀fg', 6)).toBe('abcd…');
  });

  it('leaves nothing that is invisible, in one line, within the length, and cleaning twice changes nothing', () => {
    fc.assert(
      fc.property(fc.oneof(anyText, nastyText), fc.integer({ min: 1, max: 60 }), (text, maxLength) => {
        const clean = cleanText(text, maxLength);
        expect(clean.length).toBeLessThanOrEqual(maxLength);
        expect(clean).not.toMatch(/[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/u);
        expect(cleanText(clean, maxLength)).toBe(clean);
      }),
      { numRuns: 2_000 },
    );
  });

  it('stays quick on hostile input', () => {
    const started = performance.now();
    cleanText('\u001b]'.repeat(200_000), 100);
    cleanText('\u001b['.repeat(200_000), 100);
    expect(performance.now() - started).toBeLessThan(2_000);
  });
});
