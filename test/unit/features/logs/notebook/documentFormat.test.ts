import assert from 'node:assert/strict';
import fc from 'fast-check';
import { findDocumentQueries, formatVerdictLine } from '../../../../../src/core/index.ts';
import { createDocumentFormat } from '../../../../../src/features/logs/notebook/documentFormat.ts';

const format = createDocumentFormat({ notText: 'not UTF-8', tooLong: 'too long' });
const bytes = (text: string) => new TextEncoder().encode(text);
const written = (cells: Parameters<typeof format.write>[0]) =>
  new TextDecoder('utf-8', { ignoreBOM: true }).decode(format.write(cells));
const question = '```chainlog\n{}\n```\n';

describe('a document as cells', () => {
  it('comes back byte for byte, also where line ends are made alike in between', () => {
    const line = fc.oneof(
      fc.constantFrom('```chainlog', '```', '# Why', '', '\t', '- item', '  ```chainlog', '<!-- x -->'),
      fc.string({ unit: 'grapheme', maxLength: 8 }),
    );
    const lines = fc.array(fc.tuple(line, fc.constantFrom('\n', '\r\n')), { maxLength: 16 });
    fc.assert(
      fc.property(lines, fc.constantFrom('', '\uFEFF'), (parts, mark) => {
        const text = mark + parts.flat().join('');
        const cells = format.read(bytes(text)).map((cell) => ({
          ...cell,
          text: cell.text.replaceAll('\r\n', '\n'),
          // As the editor hands it on: through JSON.
          kept: JSON.parse(JSON.stringify(cell.metadata)),
        }));
        assert.deepEqual(Buffer.from(format.write(cells)), Buffer.from(bytes(text)));
      }),
    );
  });

  it('is not opened where it is not UTF-8, as it would not come back, nor where it is too long', () => {
    assert.throws(() => format.read(new Uint8Array([0x23, 0x20, 0xe9, 0x0a])), /not UTF-8/);
    assert.throws(() => format.read(new Uint8Array(4 * 1024 * 1024 + 1)), /too long/);
    assert.throws(() => format.read(bytes('\n'.repeat(30_000))), /too long/);
    assert.throws(() => format.read(bytes('```chainlog\n```\n'.repeat(3000))), /too long/);
  });

  it('has no query that code of another language brings along', () => {
    for (const fence of ['```', '````']) {
      const text = `a\n${fence}\n\`\`\`chainlog\n{}\n\`\`\``;
      const document = written([{ kind: 'code', languageId: 'python', text, metadata: {} }]);
      assert.deepEqual(findDocumentQueries(document), []);
      assert.ok(document.includes(text));
    }
  });

  it('is prose and JSON; code of another language becomes a block of that', () => {
    const cells = format.read(bytes(`# Why\n\n${question}`));
    assert.deepEqual(
      cells.map(({ kind, languageId, text }) => [kind, languageId, text]),
      [
        ['prose', 'markdown', '# Why'],
        ['code', 'json', '{}'],
      ],
    );
    const added = [
      ...cells,
      { kind: 'code', languageId: 'solidity', text: 'event A();', metadata: {} } as const,
      { kind: 'code', languageId: 'json', text: '{"event": "A()"}', metadata: {} } as const,
    ];
    assert.equal(
      written(added),
      `# Why\n\n${question}\n\`\`\`solidity\nevent A();\n\`\`\`\n\n\`\`\`chainlog\n{"event": "A()"}\n\`\`\`\n`,
    );
  });

  it('takes a verdict that a cell carries, and nothing else that it is told to write', () => {
    const [cell] = format.read(bytes(question));
    assert.ok(cell);
    const verdict = formatVerdictLine({ count: 1, toBlock: 2n, sha256: 'ab'.repeat(32) });
    const text = written([{ ...cell, metadata: { ...cell.metadata, verdict } }]);
    assert.equal(text, `${question}${verdict}\n`);
    assert.equal(findDocumentQueries(text)[0]?.verdict?.count, 1);
    const forged = { ...cell, metadata: { ...cell.metadata, verdict: '<!-- x --><script>' } };
    assert.doesNotMatch(written([forged]), /script/);
  });
});
