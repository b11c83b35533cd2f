import assert from 'node:assert/strict';
import fc from 'fast-check';
import { escapeUiLines, escapeUiText } from '../../../../src/host/ui/untrustedText.ts';
import { hostileNames } from '../../../fixtures/hostileNames.ts';
import { hostileTexts } from '../../../fixtures/hostileTexts.ts';
import { findLinks, findUnsafeParts } from '../../../support/editorSyntax.ts';

const MAX_CHARS = 300;

describe('A text on its way to the editor', () => {
  it('is tried with many that mean harm, most of which the editor would act on', () => {
    // The editor's own pattern takes the square of the time on a long run of brackets.
    const texts = Object.values(hostileTexts).map((text) => text.slice(0, 2000));
    assert.ok(texts.length >= 60, `${texts.length}`);
    assert.ok(texts.filter((text) => findLinks(text).length > 0).length >= 20);
    assert.ok(texts.filter((text) => findUnsafeParts(text).length > 0).length >= 40);
  });

  for (const [what, text] of Object.entries({ ...hostileTexts, ...hostileNames })) {
    it(`makes no link and no icon, and hides nothing: ${what}`, () => {
      const shown = escapeUiText(text, MAX_CHARS);
      assert.deepEqual(findUnsafeParts(shown), []);
      assert.ok([...shown].length <= MAX_CHARS + 1, `${[...shown].length} characters`);
      assert.equal(escapeUiText(shown, MAX_CHARS), shown, 'what is harmless stays as it is');
    });
  }

  it('is harmless whatever it is made of', () => {
    const part = fc.constantFrom(
      ...[
        '[',
        ']',
        '(',
        ')',
        '$',
        'a',
        ' ',
        'command:x',
        'https://x',
        '\u200b',
        '\u0301',
        '\ud83d',
        '👩',
        '\u200d',
        '\ufe0f',
        '🏽',
        '1',
        '\u20e3',
        '\n',
        '…',
      ],
    );
    const texts = fc.array(part, { maxLength: 60 }).map((parts) => parts.join(''));
    fc.assert(
      fc.property(texts, fc.integer({ min: 1, max: 40 }), (text, longest) => {
        const shown = escapeUiText(text, longest);
        assert.deepEqual(findUnsafeParts(shown), []);
        assert.equal(escapeUiText(shown, longest), shown);
      }),
    );
  });

  it('keeps what is meant to be read', () => {
    const words = 'Palm, chain 11297108109: refused the call (HTTP 403) · “a[0]” $5 #1 <b> & 100 %';
    assert.equal(escapeUiText(words, MAX_CHARS), words);
    assert.equal(escapeUiText('[a](command:b) $(c)', MAX_CHARS), '[a] (command:b) $ (c)');
  });

  it('says that it was cut', () => {
    assert.equal(escapeUiText('abcdef', 3), 'abc…');
    assert.equal(escapeUiText(' '.repeat(24) + 'x'.repeat(9), 3), '…');
  });

  it('has the lines that it was given, and none that a text brought along', () => {
    const lines = escapeUiLines(['one', undefined, '', false, 'two\nforged'], MAX_CHARS);
    assert.equal(lines, 'one\ntwo<U+000A>forged');
  });
});
