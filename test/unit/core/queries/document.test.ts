import assert from 'node:assert/strict';
import fc from 'fast-check';
import {
  findDocumentQueries,
  findQueries,
  formatDocument,
  formatVerdictLine,
  parseDocument,
  withRecordedVerdict,
  writeExpectation,
} from '../../../../src/core/index.ts';

const sha256 = '9f'.repeat(32);
const verdict = formatVerdictLine({ count: 5000, toBlock: 21_000_000n, sha256 });

const path = 'why.chain.md';
const block = '```chainlog\n{"chainId": 1}\n```\n';

const cellsOf = (text: string) =>
  parseDocument(text).map((piece, place) => ({
    kind: piece.kind,
    value: piece.value,
    read: { ...piece, place },
  }));
const again = (text: string) => formatDocument(cellsOf(text), '\n');
const shape = (text: string) => parseDocument(text).map(({ kind, value }) => [kind, value]);
const questions = (text: string) => findDocumentQueries(text).map((question) => question.text);

describe('document', () => {
  it('has lines of millions of characters', () => {
    const line = 'a'.repeat(4 * 1024 * 1024);
    assert.equal(again(line), line);
  });

  it('is written as it was read, byte for byte', () => {
    const end = fc.constantFrom('\n', '\r\n', '\r', '\n\n');
    const line = fc.oneof(
      fc.constantFrom(
        ...[
          '```chainlog',
          '```',
          '~~~chainlog x',
          '~~~~',
          '````',
          '```js',
          '   ```chainlog',
          '\t```chainlog',
        ],
        ...[
          '- ```chainlog',
          '- item',
          '  ```chainlog',
          '  ```',
          '1. one',
          '   {',
          '> ```chainlog',
          '> {',
          '>',
        ],
        ...['<!--', '-->', '<div>', '', ' ', '\t', '\uFEFF', '# Heading', '{"a": 1}', verdict, '***', '-'],
      ),
      fc.string({ maxLength: 12 }),
    );
    const document = fc
      .array(fc.tuple(line, end), { maxLength: 24 })
      .chain((lines) =>
        fc
          .tuple(fc.constantFrom('', '\uFEFF'), line)
          .map(([mark, last]) => `${mark}${lines.map((pair) => pair.join('')).join('')}${last}`),
      );
    fc.assert(
      fc.property(document, (text) => {
        assert.equal(again(text), text);
        const pieces = parseDocument(text);
        assert.equal(pieces.map(({ before, source, after }) => before + source + after).join(''), text);
        for (const { offset, text: own } of findDocumentQueries(text))
          assert.ok(text.startsWith(own, offset));
      }),
    );
  });

  it('is as it was where an editor has made line ends alike', () => {
    const text = 'a\r\n\r\n```chainlog\r\n{\n}\r\n```\r\nb';
    const cells = cellsOf(text).map((cell) => ({ ...cell, value: cell.value.replace(/\r\n|\n/g, '\n') }));
    assert.equal(formatDocument(cells, '\n'), text);
  });

  const read: readonly (readonly [what: string, text: string, questions: readonly string[]])[] = [
    ['three backticks', '```chainlog\n{}\n```\n', ['{}']],
    ['tildes, and more to close than to open', '~~~chainlog\n{}\n~~~~~\n', ['{}']],
    ['letter case and words behind', '```Chainlog mints\n{}\n```', ['{}']],
    ['no other language', '```chainlogs\n{}\n```\n```json\n{}\n```', []],
    ['a longer fence around another', '````chainlog\n```\n{}\n````', ['```\n{}']],
    ['not in a longer fence', '````md\n```chainlog\n{}\n```\n````', []],
    ['not closed by the other mark', '```chainlog\n~~~\n{}\n```', ['~~~\n{}']],
    ['not closed by a fence with words', '```chainlog\n``` x\n```', ['``` x']],
    ['up to three spaces', '   ```chainlog\n   {}\n   ```', ['   {}']],
    ['not four, nor a tab', '    ```chainlog\n\n\t```chainlog\n', []],
    ['to the end where nothing closes it', 'a\n```chainlog\n{}', ['{}']],
    ['nothing in it', '```chainlog\n```\n', ['']],
    ['in a list, to its end', '- a\n\n  ```chainlog\n  {}\nb\n```chainlog\n1\n```', ['  {}', '1']],
    ['in a list of two figures', '10. a\n\n    ```chainlog\n    {}\n    ```\n', ['    {}']],
    ['not behind the mark of a list', '- ```chainlog\n  {}\n  ```\n\n```chainlog\n1\n```', ['1']],
    ['not in a quotation', '> ```chainlog\n> {}\n\n```chainlog\n1\n```', ['1']],
    ['not in a comment', '<!--\n```chainlog\n{}\n```\n-->\n```chainlog\n1\n```', ['1']],
    ['not in a block of HTML, but behind it', '<details>\n```chainlog\n\n```chainlog\n1\n```', ['1']],
    ['not below the tag of a block, also in a paragraph', 'text\n<caption>Rows\n```chainlog\n{}\n```\n', []],
    ['not below a tag alone on its line', '<span class="a">\n```chainlog\n{}\n```\n', []],
    ['not below a closing tag', 'text\n\n</my-part>\n```chainlog\n{}\n```\n', []],
    ['below a tag in a paragraph', 'text\n<span>\n```chainlog\n{}\n```', ['{}']],
    ['below a tag and a blank line', '<span>\n\n```chainlog\n{}\n```', ['{}']],
    ['below a tag with text', '<b>x</b>\n```chainlog\n{}\n```', ['{}']],
    ['not below a tag below a heading', '# a\n<br/>\n```chainlog\n{}\n```', []],
    ['no backtick in the words behind', '```chainlog `x`\n{}\n```chainlog\n1\n```', ['1']],
    ['a rule is no list', '* * *\n  ```chainlog\n{}\n```', ['{}']],
  ];
  for (const [what, text, expected] of read) {
    it(`finds questions: ${what}`, () => assert.deepEqual(questions(text), expected));
  }

  it('gives prose without the lines around it', () => {
    const text = '\uFEFF\n# Why\n\ntext  \n\n\n```chainlog\n{}\n```\n\n\n~~~chainlog\n1\n~~~\nend\n';
    assert.deepEqual(shape(text), [
      ['prose', '# Why\n\ntext  '],
      ['question', '{}'],
      ['question', '1'],
      ['prose', 'end'],
    ]);
  });

  it('tells of each question its heading, its line and the verdict behind it', () => {
    const text = `Top\n===\n\n\`\`\`chainlog\n1\n\`\`\`\n${verdict}\n\n## Mints ##\n\n\`\`\`sh\n# no heading\n\`\`\`\n\`\`\`chainlog\n2\n\`\`\`\n`;
    assert.deepEqual(
      findDocumentQueries(text).map(({ title, line, verdict: told }) => ({ title, line, told })),
      [
        { title: 'Top', line: 4, told: { count: 5000, toBlock: 21_000_000n, sha256 } },
        { title: 'Mints', line: 14, told: undefined },
      ],
    );
  });

  it('is checked as a file of questions is, against the verdicts in it', () => {
    const text = `# Mints\n\n\`\`\`chainlog\n{"chainId": 1}\n\`\`\`\n${verdict}\n\n\`\`\`chainlog\n{"title": "All",\n}\n\`\`\`\n`;
    const [mints, all] = findQueries(text, path);
    const kept = { count: 5000, toBlock: 21_000_000n, sha256 };
    assert.deepEqual(mints, { title: 'Mints', line: 3, json: { chainId: 1 }, recordedVerdict: kept });
    assert.deepEqual(withRecordedVerdict({ chainId: 1 }, kept), {
      ...{ chainId: 1, toBlock: '21000000' },
      expect: { count: 5000, sha256 },
    });
    assert.equal(all?.error?.kind, 'badInput');
    assert.equal(all?.line, 10);
    assert.match(all?.error?.message ?? '', /line 10, column 1\./);
  });

  describe('has verdicts', () => {
    const countOf = (text: string) => findQueries(text, path)[0]?.recordedVerdict?.count;
    const strays = (text: string) =>
      findQueries(text, path).flatMap(({ line, error }) => (error ? [line] : []));
    const newer = { count: 1, toBlock: 7n, contentSha256: 'ab'.repeat(32) };

    for (const [what, between] of [
      ['no line', ''],
      ['a blank line', '\n'],
      ['blank lines with spaces', '\n \t\n\n'],
      ['blank lines of Windows', '\r\n\r\n'],
    ] as const) {
      it(`of a query below ${what}, which are written there again`, () => {
        const text = `# Why\n\n${block}${between}${verdict}\n\nend\n`;
        assert.equal(countOf(text), 5000);
        assert.deepEqual(strays(text), []);
        assert.equal(again(text), text);
        const updated = text.replace(verdict, formatVerdictLine(newer));
        assert.equal(writeExpectation(text, { path, place: 0 }, newer), updated);
        const cells = cellsOf(text).map((cell) => ({
          ...cell,
          verdict: cell.kind === 'question' ? formatVerdictLine(newer) : undefined,
        }));
        assert.equal(formatDocument(cells, '\n'), updated);
      });
    }

    it('of a query deep in a list', () => {
      const indent = ' '.repeat(16);
      const text = `- a\n    - b\n        - c\n            - d\n\n${block.replace(/^(?=.)/gm, indent)}\n${indent}${verdict}\n`;
      assert.equal(countOf(text), 5000);
      assert.deepEqual(strays(text), []);
    });

    it('of a query that expects nothing inside', () => {
      const text = `${block.replace('1}', '1, "expect": {}}')}\n${verdict}\n`;
      assert.equal(countOf(text), 5000);
      assert.equal(
        writeExpectation(text, { path, place: 0 }, newer),
        text.replace(verdict, formatVerdictLine(newer)),
      );
    });

    for (const [what, text, lines] of [
      ['below other text', `${block}\nSee:\n\n${verdict}\n`, [7]],
      ['above the query', `${verdict}\n\n${block}`, [1]],
      ['twice', `${block}${verdict}\n\n${verdict}\n`, [6]],
      ['in a sentence', `${block}\nIt was ${verdict}.\n`, [5]],
      ['in a list', `${block}\n- ${verdict}\n`, [5]],
      ['in a quotation below the query', `${block}> ${verdict}\n`, [4]],
      ['in a quotation of a quotation', `${block}\n\n > > ${verdict}\n`, [6]],
      ['without a query', `# Why\n\n${verdict}\n`, [1, 3]],
      ['without a hash', `${block}<!-- 3 logs, complete to 16 -->\n`, [4]],
      ['with half a hash', `${block}<!-- 3 logs, complete to 16, sha256 abcd -->\n`, [4]],
      ['with a hash in capitals', `${block}${verdict.replace(sha256, sha256.toUpperCase())}\n`, [4]],
      ['without a count', `${block}<!-- some logs, complete to 16, sha256 ${sha256} -->\n`, [4]],
      ['without a count or its word', `${block}<!-- logs, complete to 16, sha256 ${sha256} -->\n`, [4]],
      ['with a negative count', `${block}<!-- -3 logs, complete to 16, sha256 ${sha256} -->\n`, [4]],
      ['with a word before it', `${block}<!-- Result: 3 logs, complete to 16, sha256 ab -->\n`, [4]],
      ['without a block', `${block}<!-- 3 logs, complete -->\n`, [4]],
      ['with a slip', `${block}<!-- 3 lgs, complete to 16, sha256 ${sha256} -->\n`, [4]],
      ['wrapped', `${block}\n<!--\n3 logs, complete to 16,\nsha256 ${sha256}\n-->\n`, [5]],
      ['not closed', `${block}<!-- 3 logs, complete to 16, sha256 ${sha256}\n`, [4]],
      ['beyond all blocks', `${block}${verdict.replace('21,000,000', '9'.repeat(40))}\n`, [4]],
    ] as const) {
      it(`that are errors with their line: ${what}`, () => {
        assert.deepEqual(strays(text), lines);
      });
    }

    for (const [what, text] of [
      ['a fence', `${block}\n\`\`\`md\n${verdict}\n\`\`\`\n`],
      ['indented code', `${block}\ntext\n\n    ${verdict}x\n`],
      ['a quotation of it', `${block}\nIt was:\n\n> ${verdict}\n`],
      ['a quotation of both', `> ${block.trimEnd().replaceAll('\n', '\n> ')}\n> ${verdict}\n\n${block}`],
      ['code in a sentence', `${block}\nWrite \`${verdict}\`.\n`],
      [
        'a comment of another kind',
        `${block}<!-- Later: 3 logs were there, complete to 16, check again -->\n`,
      ],
      ['a comment of a hash', `${block}<!-- sha256 of the release -->\n`],
      ['a comment of a count', `${block}<!-- 3 logs as of today -->\n`],
    ] as const) {
      it(`that are not meant: ${what}`, () => assert.deepEqual(strays(text), []));
    }
  });

  it('is refused where nobody wrote it by hand, before it blocks anything', () => {
    for (const text of [
      'x'.repeat(5 * 1024 * 1024),
      '\n'.repeat(1024 * 1024),
      '```chainlog\n```\n'.repeat(5000),
      `\`\`\`chainlog\n{}\n\`\`\`\n${'\r'.repeat(30_000)}`,
      ...['* '.repeat(100), '-\t'.repeat(50), '> '.repeat(40)].map((line) => `${line}x\n`.repeat(8000)),
    ]) {
      const [only, ...others] = findQueries(text, path);
      assert.deepEqual([only?.line, only?.error?.details.field, others], [1, 'document', []]);
      assert.match(only?.error?.message ?? '', /too long|too many queries|too many lists/);
    }
    assert.equal(questions('```chainlog\n{}\n```\n'.repeat(2000)).length, 2000);
  });

  it('records what the logs say, in place of both kinds of hashes', () => {
    const content = { count: 1, toBlock: 7n, contentSha256: sha256 };
    const updated = writeExpectation(`${block}${verdict}`, { path, place: 0 }, content);
    assert.equal(updated, `${block}<!-- 1 log, complete to 7, content sha256 ${sha256} -->`);
    assert.deepEqual(findQueries(updated, path)[0]?.recordedVerdict, content);
    assert.deepEqual(withRecordedVerdict({}, content), {
      toBlock: '7',
      expect: { count: 1, contentSha256: sha256 },
    });
  });

  it('has a question in it, or says what one looks like', () => {
    for (const text of ['', '# Why\n\n```chainlg\n{}\n```\n', '> ```chainlog\n> {}\n> ```\n']) {
      const [only, ...others] = findQueries(text, 'notes/why.chain.md');
      assert.deepEqual([only?.title, only?.line, others.length], [path, 1, 0]);
      assert.match(only?.error?.message ?? '', /no query.*```chainlog/);
    }
  });

  describe('takes expectations', () => {
    const answer = { count: 2, toBlock: 22_000_000n, sha256: 'cd'.repeat(32) };
    const expect = `"expect": { "count": 2, "sha256": "${answer.sha256}" }`;

    it('each in its own block, in any order, though blocks before it have grown', () => {
      const blockOf = (chainId: number) =>
        `\uFEFF# Why\r\n\n  ~~~chainlog\r\n  {\n    "chainId": ${chainId}\n  }\n  ~~~\n\n`;
      const numbers = fc.uniqueArray(fc.nat(5), { minLength: 1 });
      fc.assert(
        fc.property(numbers, (places) => {
          const blocks = [1, 2, 3, 4, 5, 6].map(blockOf);
          const text = blocks.join('').replace(/(?!^)\uFEFF/g, '');
          const written = places.reduce(
            (made, place) => writeExpectation(made, { path, place }, answer),
            text,
          );
          const found = findQueries(written, path).map(({ json }) => json);
          const { toBlock: _, ...expected } = answer;
          assert.deepEqual(
            found,
            blocks.map((_, at) => ({ chainId: at + 1, ...(places.includes(at) && { expect: expected }) })),
          );
          assert.equal(written.replace(/,\s+"expect": \{[^}]*\}/g, ''), text);
        }),
      );
    });

    it('in the block and in the verdict behind it, where both are there', () => {
      const text = `\`\`\`chainlog\n{"chainId": 1, "expect": {"count": 1}}\n\`\`\`\n${verdict}\n`;
      assert.equal(findQueries(text, path)[0]?.recordedVerdict, undefined);
      assert.equal(
        writeExpectation(text, { path, place: 0 }, answer),
        text.replace('"expect": {"count": 1}', expect).replace(verdict, formatVerdictLine(answer)),
      );
    });
  });

  describe('after edits', () => {
    const text = '# Why\r\n\r\n  ```chainlog\r\n  {}\r\n  ```\r\n\r\nend';
    const [why, question, end] = cellsOf(text);
    assert.ok(why && question && end);

    it('changes what was edited, and keeps its line ends and white space', () => {
      const edited = { ...question, value: '{\n  "a": 1\n}' };
      assert.equal(
        formatDocument([why, edited, { ...end, value: 'the\nend' }], '\r\n'),
        '# Why\r\n\r\n  ```chainlog\r\n  {\r\n    "a": 1\r\n  }\r\n  ```\r\n\r\nthe\r\nend',
      );
    });

    it('stays a document of the same pieces, whatever is typed, moved, added or taken out', () => {
      const typed = fc.oneof(
        fc.constantFrom('', '{}', '```\n{}', '~~~', '````chainlog', 'a\n\nb', '<!-- x'),
        fc.string({ maxLength: 10 }).map((word) => word.replace(/[\r\n\uFEFF]/g, ' ')),
      );
      const known = fc.constantFrom(why, question, end);
      const cell = fc.oneof(
        known,
        fc.record({ kind: fc.constant('question' as const), value: typed }),
        fc.tuple(known, typed).map(([kept, value]) => (kept.kind === 'question' ? { ...kept, value } : kept)),
      );
      fc.assert(
        fc.property(fc.array(cell, { maxLength: 8 }), (cells) => {
          const written = formatDocument(cells, '\n');
          const found = parseDocument(written).filter(({ kind }) => kind === 'question');
          const meant = cells.filter(({ kind }) => kind === 'question');
          const words = (value: string) => value.replace(/\s+/g, '');
          assert.deepEqual(
            found.map(({ value }) => words(value)),
            meant.map(({ value }) => words(value)),
          );
        }),
      );
    });

    it('closes what a piece leaves open, so that the next is not taken in', () => {
      const open = { ...why, value: 'as in\n\n```sh\nls' };
      assert.deepEqual(questions(formatDocument([open, question, end], '\n')), ['  {}']);
    });

    it('writes a verdict behind its question', () => {
      const once = formatDocument([why, { ...question, verdict }, end], '\r\n');
      assert.equal(once, text.replace('  ```\r\n\r\n', `  \`\`\`\r\n  ${verdict}\r\n\r\n`));
    });
  });
});
