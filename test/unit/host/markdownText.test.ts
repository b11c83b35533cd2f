import assert from 'node:assert/strict';
import { markdownText } from '../../../src/host/surface/markdownText.ts';

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

  it('keeps spaces, so that it wraps', () => {
    assert.equal(markdownText('two words, ok'), 'two words, ok');
  });
});
