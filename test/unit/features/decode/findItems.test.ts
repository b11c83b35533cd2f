import assert from 'node:assert/strict';
import { findHexItems, findLogItems } from '../../../../src/features/decode/findItems.ts';

const TOPIC = `0x${'ab'.repeat(32)}`;
const ADDRESS = `0x${'5a'.repeat(20)}`;

describe('What is decoded of a text', () => {
  const hexes = (text: string) => findHexItems(text).items.map(({ hex }) => hex);

  it('is each hex once, with its first line and how often it is there', () => {
    const { items, left } = findHexItems(`a 0xa9059cbb\n\n  ${ADDRESS} ${TOPIC}, 0xA9059CBB\n${TOPIC}0x`, 1);
    assert.deepEqual(items, [
      { hex: '0xa9059cbb', line: 1, count: 2, isCut: false },
      { hex: TOPIC, line: 3, count: 1, isCut: false },
    ]);
    assert.equal(left, 0);
    const lines = (first?: number) =>
      findHexItems('0xa9059cbb\n0x12345678', first).items.map(({ line }) => line);
    assert.deepEqual(
      [lines(7), lines()],
      [
        [7, 8],
        [undefined, undefined],
      ],
    );
  });

  it('is the text itself where it is hex alone, of any length and also without 0x', () => {
    assert.deepEqual(findHexItems(' 0xA9059CBB\n').items, [
      { hex: '0xa9059cbb', line: undefined, count: 1, isCut: false },
    ]);
    assert.deepEqual(hexes('a9059cbb'), ['0xa9059cbb']);
    for (const text of ['0x', '0x123', ADDRESS]) assert.deepEqual(hexes(text), [text]);
    for (const text of ['', 'abc', '12345678', 'a9059cb', 'deadbeefs', 'no hex', `${ADDRESS},`]) {
      assert.deepEqual(hexes(text), [], text);
    }
  });

  it('is the text itself also where it has millions of characters', () => {
    const digits = 'ab'.repeat(4 * 1024 * 1024);
    for (const text of [digits, `0x${digits}`]) assert.equal(hexes(text)[0]?.length, digits.length + 2);
    assert.deepEqual(hexes(`${digits}s`), []);
  });

  it('has a bound, and says how many are left', () => {
    const many = Array.from({ length: 250 }, (_, index) => `0x${(index + 0x10000000).toString(16)}`);
    const { items, left } = findHexItems(many.join(' '));
    assert.deepEqual([items.length, left], [200, 50]);
  });

  it('are the logs of JSON, wherever they lie in it', () => {
    const log = { address: ADDRESS, topics: [TOPIC], data: '0xAB', logIndex: '0x0' };
    const read = { address: ADDRESS, topics: [TOPIC], data: '0xab' };
    assert.deepEqual(findLogItems(JSON.stringify(log)), [read]);
    assert.deepEqual(findLogItems(` ${JSON.stringify([{ result: { logs: [log, log] } }], undefined, 2)}`), [
      read,
      read,
    ]);
    assert.deepEqual(findLogItems(JSON.stringify({ topics: [], data: '0x' })), [
      { address: undefined, topics: [], data: '0x' },
    ]);
  });

  it('are no logs where JSON is broken, has none, or is made to be walked through for ever', () => {
    const deep = `${'['.repeat(100_000)}${']'.repeat(100_000)}`;
    const wide = JSON.stringify(Array.from({ length: 300_000 }, () => 0));
    const broken = [
      { topics: [TOPIC.slice(2)], data: '0x' },
      { topics: [], data: 7 },
      { topics: 1, data: '0x' },
    ];
    for (const text of ['{', '', 'null', TOPIC, deep, wide, ...broken.map((log) => JSON.stringify(log))]) {
      assert.equal(findLogItems(text), undefined, text.slice(0, 60));
    }
    const five = { topics: [TOPIC, TOPIC, TOPIC, TOPIC, TOPIC], data: '0x' };
    assert.equal(findLogItems(JSON.stringify(five)), undefined);
    const many = Array.from({ length: 1000 }, () => ({ topics: [], data: '0x' }));
    assert.equal(findLogItems(JSON.stringify(many))?.length, 200);
  });
});
