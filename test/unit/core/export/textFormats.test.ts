import assert from 'node:assert/strict';
import fc from 'fast-check';
import { formatCsvCell, formatTableLine, jsonFields } from '../../../../src/core/export/textFormats.ts';
import { logToJson } from '../../../../src/core/index.ts';
import { anyLog, anyPages } from '../../../support/anyLogs.ts';
import { encodeFile, parseCsv } from '../../../support/exportFiles.ts';

const header = [
  'block_number',
  'block_hash',
  'transaction_hash',
  'transaction_index',
  'log_index',
  'address',
  'topic0',
  'topic1',
  'topic2',
  'topic3',
  'data',
];

describe('CSV of logs', () => {
  it('holds every log exactly, in order, under a header', async () => {
    await fc.assert(
      fc.asyncProperty(anyPages, async (pages) => {
        const text = new TextDecoder().decode(await encodeFile('csv', pages));
        const expected = pages
          .flat()
          .map((log) => [
            log.blockNumber.toString(),
            log.blockHash,
            log.transactionHash,
            String(log.transactionIndex),
            String(log.logIndex),
            log.address,
            ...[0, 1, 2, 3].map((slot) => log.topics[slot] ?? ''),
            log.data,
          ]);
        assert.deepEqual(parseCsv(text), [header, ...expected]);
      }),
    );
  });

  it('writes tables with tabs, as spreadsheets take them', () => {
    assert.equal(formatTableLine(['1,250', 'a\tb', '=1', 'c"d'], '\t'), '1,250\t"a\tb"\t\'=1\t"c""d"\r\n');
  });

  it('leaves a negative integer as it is', () => {
    assert.equal(formatCsvCell('-12'), '-12');
    assert.equal(formatCsvCell('-1+1'), "'-1+1");
  });

  it('gives back any text of a cell, with an apostrophe before what would be a formula', () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom(...'ab,"\r\n\t=+-@ é😀') }), (text) => {
        const [[read, ...others] = []] = parseCsv(`${formatCsvCell(text)},\r\n`);
        assert.equal(read, /^[=+\-@\t\r]/.test(text) ? `'${text}` : text);
        assert.deepEqual(others, ['']);
      }),
    );
  });

  it('writes cells as RFC 4180 has them', () => {
    assert.equal(formatCsvCell('plain'), 'plain');
    assert.equal(formatCsvCell('a "b", c'), '"a ""b"", c"');
    assert.equal(formatCsvCell('two\r\nlines'), '"two\r\nlines"');
    assert.equal(formatCsvCell('=HYPERLINK("http://x","y")'), `"'=HYPERLINK(""http://x"",""y"")"`);
    assert.equal(formatCsvCell('\t=1'), "'\t=1");
  });
});

const textOf = async (...file: Parameters<typeof encodeFile>) =>
  new TextDecoder().decode(await encodeFile(...file));

describe('JSON of logs', () => {
  it('is the result of eth_getLogs', async () => {
    await fc.assert(
      fc.asyncProperty(anyPages, async (pages) => {
        const text = await textOf('json', pages);
        assert.deepEqual(JSON.parse(text), pages.flat().map(logToJson));
        assert.ok(text.endsWith(']\n'));
      }),
    );
  });

  it('is an object a line as NDJSON', async () => {
    await fc.assert(
      fc.asyncProperty(anyPages, async (pages) => {
        const lines = (await textOf('ndjson', pages)).split('\n');
        assert.equal(lines.pop(), '');
        assert.deepEqual(
          lines.map((line) => JSON.parse(line)),
          pages.flat().map(logToJson),
        );
      }),
    );
  });

  it('has the fields that are told of it', () => {
    const [log] = fc.sample(anyLog, 1);
    assert.ok(log);
    assert.deepEqual(Object.keys(logToJson(log)), jsonFields);
  });
});
