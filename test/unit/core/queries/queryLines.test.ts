import assert from 'node:assert/strict';
import { createLineFinder } from '../../../../src/core/queries/queryLines.ts';
import '../../../support/unoptimizedPatterns.ts';

const query = '{\n  "chainId": 1,\n  "args": {\n    "to": "Bob"\n  },\n  "expect": { "count": 1 }\n}\n';
const verdict = `<!-- 2 logs, complete to 2, sha256 ${'0'.repeat(64)} -->`;

describe('lines of queries', () => {
  it('are those of a field of a query file, or of the nearest one that contains it', () => {
    for (const text of [query, `\ufeff${query}`, query.replaceAll('\n', '\r\n')]) {
      const lineOf = createLineFinder(text, 'a.chainlog.json');
      const lines = ['chainId', 'args.to', 'args.from', 'expect', 'expect.count'].map((field) =>
        lineOf(0, field),
      );
      assert.deepEqual(lines, [2, 4, 3, 6, 6]);
      assert.equal(lineOf(0, 'address'), undefined);
      assert.equal(lineOf(1, 'chainId'), undefined);
    }
  });

  it('are those of a document, with the recorded result behind a query', () => {
    const bare = '{ "chainId": 1 }\n';
    const text = `# Why\n\n\`\`\`chainlog\n${query}\`\`\`\n\n\`\`\`chainlog\n${bare}\`\`\`\n\n${verdict}\n\nend\n`;
    for (const written of [text, `\ufeff${text}`, text.replaceAll('\n', '\r\n')]) {
      const lineOf = createLineFinder(written, 'why.chain.md');
      assert.deepEqual([lineOf(0, 'expect'), lineOf(0, 'args.to'), lineOf(1, 'chainId')], [9, 7, 14]);
      assert.equal(lineOf(1, 'expect'), 17);
    }
  });

  it('are none in a text that is no query, or too long for one', () => {
    for (const text of ['', '{', '['.repeat(100_000), ' '.repeat(3_000_000)])
      for (const path of ['a.chainlog.json', 'a.chain.md'])
        assert.equal(createLineFinder(text, path)(0, 'expect'), undefined);
    assert.equal(createLineFinder('x'.repeat(5_000_000), 'a.chain.md')(0, 'expect'), undefined);
  });
});
