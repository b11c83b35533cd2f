import assert from 'node:assert/strict';
import { markdownText } from '../../../../src/host/surface/markdownText.ts';
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
      assert.doesNotMatch(markdownText(hostile), /(?<!\\)[[\]()*<>`#!~|]/, hostile);
    }
    assert.equal(markdownText('&lt;b&gt;'), '&amp;lt;b&amp;gt;');
    assert.doesNotMatch(markdownText('$(bug)'), /\$\\?\(/);
    assert.doesNotMatch(markdownText('https://evil.example'), /https:\/\//);
  });

  for (const [what, text] of Object.entries({ ...hostileTexts, ...hostileNames })) {
    it(`has a backslash before all that Markdown acts on: ${what}`, () => {
      const shown = markdownText(text);
      const unescaped = shown.replace(/\\[\\`*_{}[\]()#+\-.!|<>~$:@]/g, '').replaceAll('&amp;', '');
      assert.doesNotMatch(unescaped, /[\\`*_{}[\]()#+\-.!|<>~$:@&\n\t]/);
      assert.deepEqual(findUnsafeParts(shown), []);
    });
  }

  it('keeps spaces, so that it wraps', () => {
    assert.equal(markdownText('two words, ok'), 'two words, ok');
  });
});
