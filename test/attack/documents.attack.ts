import assert from 'node:assert/strict';
import fc from 'fast-check';
import { formatTableLine } from '../../src/core/index.ts';
import { formatMarkdownRow } from '../../src/host/ui/markdownBlocks.ts';
import { escapeMarkdown } from '../../src/host/ui/untrustedText.ts';
import { campaign } from './support/campaign.ts';

const runs = { seed: campaign.seed, numRuns: campaign.short ? 5_000 : 50_000 };

describe('text of others in tables that other programs read', () => {
  const parts = [
    ...['=', '+', '-', '@', '＝', '－', '−', ';', ',', '\t', '\r', '\n', '"', "'", ' ', '\u00a0', '\u200b'],
    ...['=1+1', "@cmd|' /C calc'!A0", '-1', '-1.5', '1', 'a', '[', ']', '|'],
  ];
  const hostile = fc.array(fc.constantFrom(...parts), { maxLength: 12 }).map((some) => some.join(''));

  for (const [written, separators] of [
    [',', [',', ';', '\t']],
    ['\t', ['\t', ';', ',']],
  ] as const) {
    it(`are no formula in ${written === ',' ? 'CSV' : 'TSV'}, whatever separates cells there`, () => {
      fc.assert(
        fc.property(hostile, hostile, (one, other) => {
          const line = formatTableLine(['7', one, 'x', other], written);
          for (const separator of separators) assert.deepEqual(findFormulas(line, separator), [], separator);
        }),
        runs,
      );
    });
  }

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
      runs,
    );
  });
});

/** The cells that a spreadsheet would run. It knows quotes at the start of a cell only, and trims what is not seen. */
function findFormulas(text: string, separator: string): readonly string[] {
  const cells: string[] = [];
  let at = 0;
  while (at < text.length) {
    let cell = '';
    if (text[at] === '"') {
      for (at++; at < text.length; at++) {
        if (text[at] !== '"') cell += text[at];
        else if (text[at + 1] === '"') cell += text[at++];
        else break;
      }
      at++;
    }
    for (; at < text.length && text[at] !== separator && !/[\r\n]/.test(text[at] ?? ''); at++)
      cell += text[at];
    at++;
    cells.push(cell);
  }
  return cells
    .map((cell) => cell.replace(/^[\s\p{C}]+/u, ''))
    .filter((cell) => /^[=+\-@＝－−]/.test(cell) && !/^[-+]?\d+(\.\d+)?["\]}]*([,;\t]|$)/.test(cell));
}

/** What a renderer would act on: outside of words that are code, what no backslash stands before. */
function findLive(markdown: string): readonly string[] {
  const plain = markdown
    .replace(/\\[\\`*_{}[\]()#+\-.!|<>~$:@]/g, ' ')
    .replace(/`[^\s\\`*{}[\]()!|<>~$]+`/g, ' ');
  return plain.match(/[[\]<>`*_|$~@]|\/\/|\.\p{L}|\w#\d|&(?!amp;)/gu) ?? [];
}
