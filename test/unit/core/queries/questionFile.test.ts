import assert from 'node:assert/strict';
import fc from 'fast-check';
import {
  findQueries,
  findQueryCursor,
  locateQueryParts,
  MAX_QUERY_FILE_CHARS,
  parsePartialQuery,
  writeExpectation,
} from '../../../../src/core/index.ts';
import { createLineFinder } from '../../../../src/core/queries/queryLines.ts';

const path = 'queries/paid.chainlog.json';
const only = (text: string) => {
  const [found, ...others] = findQueries(text, path);
  assert.ok(found && others.length === 0);
  return found;
};

const problemOf = (text: string) => {
  const { line, error } = only(text);
  return [line, error?.message];
};

describe('query file', () => {
  it('holds one question, called by its title or after the file', () => {
    assert.deepEqual(only('\ufeff{"chainId": 1}\n'), { title: 'paid', line: 1, json: { chainId: 1 } });
    assert.equal(only('{"title": " Paid out "}').title, 'Paid out');
    assert.equal(findQueries('{}', String.raw`C:\all.json`)[0]?.title, 'all');
    assert.match(findQueries('x', 'notes.txt')[0]?.error?.message ?? '', /\*\.json/);
  });

  it('says where it is no JSON', () => {
    for (const [text, line, message] of [
      [
        '{\n  "chainId": 1,\n  // all of them\n}',
        3,
        /^A query cannot have comments\. Remove the one in line 3\.$/,
      ],
      ['{\n "chainId" 1 }', 2, /^The JSON is invalid from line 2, column 12\.$/],
      ['{\n', 2, /line 2, column 1\.$/],
      ['{"toBlock":10,\n"fromBlock": nope}', 2, /line 2, column 14\.$/],
      ['{"chainId": 1,\r\n "title": "a\tb"}', 2, /line 2/],
      [' ', 1, /empty/],
    ] as const) {
      const problem = only(text);
      assert.equal(problem.line, line, text);
      assert.match(problem.error?.message ?? '', message);
    }
  });

  it('has each key once: the one that is read would not be the one that is written', () => {
    assert.deepEqual(problemOf('{"expect": {"count": 1},\n "expect": {"count": 2}}'), [
      2,
      'Line 2 repeats the key "expect". Remove one of the two.',
    ]);
    assert.deepEqual(problemOf('{"expect": {"count": 1,\n\n "count": 2}}')[0], 3);
    assert.deepEqual(problemOf('{"args": {"count": 1}, "expect": {"count": 2}}')[0], 1);
    assert.equal(only('{"args": {"count": 1}, "expect": {"count": 2}}').error, undefined);
  });

  it('is refused unread where it is huge or deep, by all who read it', () => {
    for (const text of [
      '['.repeat(200_000),
      `{"a":${'['.repeat(5000)}`,
      ' '.repeat(MAX_QUERY_FILE_CHARS + 1),
    ]) {
      assert.match(only(text).error?.message ?? '', /too long or too deeply nested/);
      assert.equal(locateQueryParts(text).valueAt(['a']), undefined);
      assert.equal(findQueryCursor(text, 10), undefined);
      assert.equal(parsePartialQuery(text).event, '');
    }
  });

  it('reads any text to an end', () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 200 }), fc.nat(200), (text, at) => {
        assert.equal(findQueries(text, path).length, 1);
        locateQueryParts(text).itemsAt(['address']);
        findQueryCursor(text, Math.min(at, text.length));
        parsePartialQuery(text);
      }),
    );
  });

  it('takes an expectation, and stays as it is otherwise', () => {
    const result = { count: 2, sha256: 'ab', toBlock: 7n };
    for (const [text, updated] of [
      [
        '{\n    "chainId": 1,\n    "address": ["a",   "b"]\n}\n',
        '{\n    "chainId": 1,\n    "address": ["a",   "b"],\n    "expect": {\n        "count": 2,\n        "sha256": "ab"\n    }\n}\n',
      ],
      [
        '{\r\n\t"expect": { "sha256": "old" },\r\n\t"chainId": 1\r\n}',
        '{\r\n\t"expect": {\r\n\t\t"count": 2,\r\n\t\t"sha256": "ab"\r\n\t},\r\n\t"chainId": 1\r\n}',
      ],
      ['\ufeff{ "chainId": 1 }', '\ufeff{ "chainId": 1, "expect": { "count": 2, "sha256": "ab" } }'],
      [
        '{ "expect": { "count": 1, "sha256": "old" }, "chainId": 1 }',
        '{ "expect": { "count": 2, "sha256": "ab" }, "chainId": 1 }',
      ],
    ] as const) {
      assert.equal(writeExpectation(text, { path, place: 0 }, result), updated);
    }
  });

  it('takes an expectation of what the logs say in place of one of their hashes', () => {
    const update = (text: string) =>
      writeExpectation(text, { path, place: 0 }, { count: 2, contentSha256: 'cd', toBlock: 7n });
    const updated = '{ "expect": { "count": 2, "contentSha256": "cd" }, "chainId": 1 }';
    assert.equal(update('{ "expect": { "count": 1, "sha256": "ab" }, "chainId": 1 }'), updated);
    assert.equal(update('{ "expect": {}, "chainId": 1 }'), updated);
    assert.equal(
      update('{"expect": {"contentSha256":"ab",  "count":1}}'),
      '{"expect": {"contentSha256":"cd",  "count":2}}',
    );
  });

  it('takes a pinned range with the expectation', () => {
    const result = { count: 2, contentSha256: 'cd', toBlock: 16n };
    const update = (text: string, pin: object) => writeExpectation(text, { path, place: 0, pin }, result);
    assert.equal(
      update('\ufeff{\n  "chainId": 1,\n  "toBlock": "latest"\n}\n', { toBlock: 16n }),
      '\ufeff{\n  "chainId": 1,\n  "toBlock": 16,\n  "expect": {\n    "count": 2,\n    "contentSha256": "cd"\n  }\n}\n',
    );
    const both = update('{ "fromBlock": "-7d", "expect": { "count": 1 } }', { fromBlock: 3n, toBlock: 16n });
    assert.deepEqual(JSON.parse(both), {
      fromBlock: 3,
      toBlock: 16,
      expect: { count: 2, contentSha256: 'cd' },
    });
    assert.equal(JSON.parse(update('{}', { toBlock: 2n ** 60n })).toBlock, String(2n ** 60n));
    assert.equal(JSON.parse(update('{ "toBlock": "latest" }', {})).toBlock, 'latest');
  });

  it('tells where its parts stand', () => {
    const text = '{ "address": ["Vault", "0x12"], "args": { "by": "Bob" } }';
    const places = locateQueryParts(text);
    const textOf = (span: { offset: number; length: number } | undefined) =>
      span && text.slice(span.offset, span.offset + span.length);
    assert.equal(textOf(places.valueAt(['args', 'by'])), '"Bob"');
    assert.equal(textOf(places.keyAt(['args', 'by'])), '"by"');
    assert.deepEqual(
      places.itemsAt(['address']).map(({ value }) => value),
      ['Vault', '0x12'],
    );
    assert.equal(places.valueAt(['event']), undefined);
  });

  it('tells what is typed', () => {
    const at = (marked: string) => findQueryCursor(marked.replace('|', ''), marked.indexOf('|'));
    assert.deepEqual(at('{"args": {"|"}}'), {
      path: ['args'],
      isKey: true,
      typed: { offset: 10, length: 2, isText: true },
    });
    assert.deepEqual(at('{"address": ["a", |]}'), { path: ['address', 1], isKey: false, typed: undefined });
    assert.deepEqual(at('{"chainId": 3|}')?.typed, { offset: 12, length: 1, isText: false });
  });
});

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
