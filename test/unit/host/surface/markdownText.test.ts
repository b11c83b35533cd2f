import assert from 'node:assert/strict';
import { escapeMarkdown } from '../../../../src/host/ui/untrustedText.ts';
import { hostileNames } from '../../../fixtures/hostileNames.ts';
import { hostileTexts } from '../../../fixtures/hostileTexts.ts';
import { findUnsafeParts } from '../../../support/editorSyntax.ts';

describe('Text in Markdown', () => {
  it('has no markup, link, HTML, entity or icon left that the editor would act on', () => {
    for (const hostile of [
      '[a](command:b)',
      '**a**',
      '<img src=x>',
      '`a`',
      '# a',
      '$(bug)',
      '![a](b)',
      '~~a~~',
      'a|b',
    ]) {
      assert.doesNotMatch(escapeMarkdown(hostile), /(?<!\\)[[\]()*<>`#!~|]/, hostile);
    }
    assert.equal(escapeMarkdown('&lt;b&gt;'), '&amp;lt;b&amp;gt;');
    assert.doesNotMatch(escapeMarkdown('$(bug)'), /\$\\?\(/);
    assert.doesNotMatch(escapeMarkdown('https://evil.example'), /https:\/\//);
  });

  for (const [what, text] of Object.entries({ ...hostileTexts, ...hostileNames })) {
    it(`has a backslash before all that Markdown acts on: ${what}`, () => {
      const shown = escapeMarkdown(text);
      const unescaped = shown.replace(/\\[\\`*_{}[\]()#+\-.!|<>~$:@]/g, '').replaceAll('&amp;', '');
      assert.doesNotMatch(unescaped, /[\\`*_{}[\]()#+\-.!|<>~$:@&\n\t]/);
      assert.deepEqual(findUnsafeParts(shown), []);
    });
  }

  it('keeps spaces, so that it wraps', () => {
    assert.equal(escapeMarkdown('two words, ok'), 'two words, ok');
  });
});
