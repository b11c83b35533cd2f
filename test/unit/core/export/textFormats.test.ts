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

  it('leaves numbers as they are, in the JSON of a list too', () => {
    for (const number of ['-12', '-1.5', '+7', '-1e18', '-170141183460469231731687303715884105728']) {
      assert.equal(formatCsvCell(number), number);
      const list = JSON.stringify({ a: [number, Number(number)], b: number });
      assert.deepEqual(parseCsv(`${formatCsvCell(list)}\r\n`), [[list]]);
      assert.equal(formatTableLine([number, list], '\t').replaceAll('""', '"'), `${number}\t"${list}"\r\n`);
    }
    for (const formula of ['-1+1', '-1.', '-1.5.2', '-0x1', '+1 2', '-2+cmd|x', '--1', '−1']) {
      assert.equal(formatCsvCell(formula), `'${formula}`);
    }
  });

  it('lets no text be a formula, whatever white space and form of sign it begins with', () => {
    for (const sign of [...'=+-@＝＋－＠﹦﹢﹣﹫−']) {
      for (const space of ['', ' ', '\u00a0', '\u3000', '\ufeff', '\u200b', '\0', '  \v\f']) {
        assert.equal(formatCsvCell(`${space}${sign}A1`), `'${space}${sign}A1`);
        assert.equal(formatCsvCell(`${space}a${sign}1`), `${space}a${sign}1`);
      }
    }
    for (const start of ['\t', '\r', '\n']) assert.equal(formatCsvCell(`${start}a`), `"'${start}a"`);
  });

  it('lets no part of a text be a formula for a spreadsheet with another separator', () => {
    for (const separator of [';', '\t', '\r', '\n', '\r\n', '; ', ';"', ';""', '\n \n"']) {
      const cell = formatCsvCell(`a${separator}=cmd|' /C calc'!A0`);
      assert.deepEqual(parseCsv(`${cell}\r\n`), [[`a${separator}'=cmd|' /C calc'!A0`]]);
      assert.match(cell, /^"/);
    }
    assert.equal(formatCsvCell('a, -b; c-d'), '"a, -b; c-d"');
    assert.equal(formatTableLine(['a,=1', 'b;@c'], '\t'), "a,'=1\tb;'@c\r\n");
  });

  it('is written in one pass over a text, whatever repeats in it', () => {
    for (const part of ['\n', ';', '; ', '"', ';"', ' ', '\n-1', ';-']) {
      const text = part.repeat(300_000);
      assert.ok(formatCsvCell(text).length >= text.length);
    }
  });

  it('gives back any text of a cell, with an apostrophe before what would be a formula', () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom(...'ab,"\r\n\t=+-@ é😀') }), (text) => {
        const [[read, ...others] = []] = parseCsv(`${formatCsvCell(text)},\r\n`);
        assert.equal(read?.replaceAll("'", ''), text);
        assert.equal(read?.startsWith("'"), /^(?:[\t\r\n]|\s*[=+\-@])/.test(text));
        assert.deepEqual(others, ['']);
      }),
    );
  });

  it('writes cells as RFC 4180 has them', () => {
    assert.equal(formatCsvCell('plain'), 'plain');
    assert.equal(formatCsvCell('a "b", c'), '"a ""b"", c"');
    assert.equal(formatCsvCell('two\r\nlines'), '"two\r\nlines"');
    assert.equal(formatCsvCell('=HYPERLINK("http://x","y")'), `"'=HYPERLINK(""http://x"",""y"")"`);
    assert.equal(formatCsvCell('\t=1'), `"'\t'=1"`);
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
