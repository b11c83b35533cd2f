import assert from 'node:assert/strict';
import fc from 'fast-check';
import { formatMarkdownRow } from '../../src/host/ui/markdownBlocks.ts';
import { escapeMarkdown } from '../../src/host/ui/untrustedText.ts';
import { campaign } from './support/campaign.ts';

describe('text of others in documents that other programs read', () => {
  it('make no link, picture or HTML in Markdown', () => {
    const pieces = [
      ...['evil.example', 'https://evil.example/x', '//evil.example', 'www.evil.example', 'me@evil.example'],
      ...[
        '![x](',
        '[x](',
        '](',
        ')',
        '<img src=x>',
        '<https://evil.example>',
        '`',
        '``',
        '\\',
        '|',
        '*',
        '_',
      ],
      ...['$(', '&lt;', '#1', '@all', ' ', '\n', '~', 'a', '.', ':', '/'],
    ];
    const text = fc.array(fc.constantFrom(...pieces), { maxLength: 16 }).map((some) => some.join(''));
    fc.assert(
      fc.property(text, (words) => {
        assert.deepEqual(findLive(escapeMarkdown(words)), []);
        const row = formatMarkdownRow([words]);
        assert.deepEqual(findLive(row.slice(2, -3)), []);
        assert.equal(row.replaceAll(/\\./g, '').match(/\|/g)?.length, 2, row);
      }),
      { seed: campaign.seed, numRuns: campaign.short ? 5_000 : 50_000 },
    );
  });
});

/** What a renderer would act on: outside of words that are code, what no backslash stands before. */
function findLive(markdown: string): readonly string[] {
  const plain = markdown
    .replace(/\\[\\`*_{}[\]()#+\-.!|<>~$:@]/g, ' ')
    .replace(/`[^\s\\`*{}[\]()!|<>~$]+`/g, ' ');
  return plain.match(/[[\]<>`*_|$~@]|\/\/|\.\p{L}|\w#\d|&(?!amp;)/gu) ?? [];
}
