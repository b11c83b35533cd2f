import assert from 'node:assert/strict';
import {
  listTopicTypes,
  parseListItems,
  parseTopicText,
  splitList,
  splitValues,
  toAbiWord,
} from '../../../../../src/core/index.ts';

const A = `0x${'a1'.repeat(20)}` as const;
const B = `0x${'b0'.repeat(20)}` as const;
const TRANSFER = 'Transfer(address,address,uint256)';

describe('values of a field that takes several', () => {
  it('stand between commas, semicolons, line breaks and spaces', () => {
    assert.deepEqual(splitList(` ${A},${B};\n${A}\r\n\r\n${B} ${A} , `), [A, B, A, B, A]);
    assert.deepEqual(splitList('1 -2 true'), ['1', '-2', 'true']);
    assert.deepEqual(splitList(' '), []);
  });

  it('are one number where its digits are in groups', () => {
    for (const text of ['1 000', '-12\u202f345\u00a0678', '5 100'])
      assert.deepEqual(splitList(text), [text], text);
    assert.deepEqual(splitList('1 20 3000'), ['1', '20', '3000']);
  });

  it('stand in quotes of any kind, and in lists as programs write them', () => {
    assert.deepEqual(splitList(`["${A}","${B}"]`), [A, B]);
    assert.deepEqual(splitList(`[\n  '${A}',\n  \`${B}\`,\n]`), [A, B]);
    assert.deepEqual(splitList(`[${A}, ${B}]`), [A, B]);
    assert.deepEqual(splitList(`"${A}" "${B}"`), [A, B]);
    assert.deepEqual(splitList('"a, b", "say \\"hi\\""'), ['a, b', 'say "hi"']);
  });

  it('are names of several words, but between hex', () => {
    assert.deepEqual(splitList(`Cold wallet, Alice's [old]; ${A} Treasury`), [
      'Cold wallet',
      "Alice's [old]",
      A,
      'Treasury',
    ]);
  });

  it('have their places in the text', () => {
    const text = `["${A}", Cold wallet]`;
    for (const item of parseListItems(text)) {
      assert.ok(text.slice(item.start, item.end).includes(item.text), JSON.stringify(item));
    }
  });

  it('are read in a time that grows with the text', () => {
    for (const part of ['"a,', "'", '"\\",', '[', '0x ', '`,']) {
      assert.ok(parseListItems(part.repeat(30_000)).length >= 0);
    }
  });
});

describe('topics as people write them', () => {
  const read = (text: string, event = '', position = 1) => {
    const { topic, type } = parseTopicText(text, listTopicTypes(event, position), 'topic1');
    return [topic, type?.text];
  };

  it('are of the types that may stand at their place', () => {
    const types = (event: string, position: number) =>
      listTopicTypes(event, position).map(({ text }) => text);
    assert.deepEqual(types(TRANSFER, 1), ['address', 'uint256']);
    assert.deepEqual(types(TRANSFER, 3), ['uint256']);
    assert.deepEqual(types('Paid(uint256 a, address indexed by)', 1), ['address']);
    assert.deepEqual(types('Paid(uint256 a, address indexed by)', 2), []);
    for (const event of ['', '0x12', 'Transfer(adress)', 'Transfer']) assert.deepEqual(types(event, 1), []);
  });

  it('are numbers, bools, short hex and addresses without a type', () => {
    assert.deepEqual(read('5'), [toAbiWord(5n), 'uint256']);
    assert.deepEqual(read('0x1'), [toAbiWord(1n), 'uint256']);
    assert.deepEqual(read('-1'), [`0x${'f'.repeat(64)}`, 'int256']);
    assert.deepEqual(read('True'), [toAbiWord(1n), 'bool']);
    assert.deepEqual(read(A), [toAbiWord(A), 'address']);
    assert.deepEqual(read(`0x${'AB'.repeat(32)}`), [`0x${'ab'.repeat(32)}`, undefined]);
  });

  it('are values of the type at their place', () => {
    assert.deepEqual(read(A, TRANSFER), [toAbiWord(A), 'address']);
    assert.deepEqual(read('0x1', TRANSFER, 3), [toAbiWord(1n), 'uint256']);
    assert.deepEqual(read('-3', 'Moved(int8)'), [toAbiWord(2n ** 256n - 3n), 'int8']);
    assert.deepEqual(read('0x12345678', 'Called(address,bytes4)'), [`0x12345678${'0'.repeat(56)}`, 'bytes4']);
    const hello = '0x1c8aff950685c2ed4bc3174f3472287b56d9517b9c948127319a09a7a36deac8';
    assert.deepEqual(read('hello', 'Named(string)'), [hello, 'string']);
    assert.deepEqual(read('hello', 'Named(uint256 indexed id, string indexed name)', 2), [hello, 'string']);
    // What takes any text is meant last.
    assert.deepEqual(read('5', 'Named(string,uint256)'), [toAbiWord(5n), 'uint256']);
    assert.deepEqual(read('true', 'Set(string,bool)'), [toAbiWord(1n), 'bool']);
    assert.equal(read(A, 'Data(bytes)')[1], 'bytes');
  });

  it('are refused with what may stand there', () => {
    const messageOf = (text: string, event = '', position = 1) => {
      try {
        read(text, event, position);
      } catch (error) {
        return (error as Error).message;
      }
      return '';
    };
    assert.match(messageOf('Treasury'), /^Not a topic\. Enter an address/);
    assert.match(messageOf('0xzz'), /^Not a topic\. Enter an address/);
    assert.match(messageOf('-1', TRANSFER), /^Not a value of type address/);
    assert.match(messageOf('-1', TRANSFER, 3), /^Out of range\. uint256 allows 0 to 2\^256 - 1/);
    assert.match(messageOf('2', 'Set(bool)'), /^Not a bool/);
  });
});

describe('a value with many quotes in it', () => {
  it('is one value, and is looked at once', () => {
    const text = `'"`.repeat(3000);
    let looked = 0;
    const { trim } = String.prototype;
    String.prototype.trim = function (this: string) {
      looked += this.length;
      return trim.call(this);
    };
    try {
      assert.deepEqual(splitValues(text), [text]);
    } finally {
      String.prototype.trim = trim;
    }
    assert.ok(looked <= 4 * text.length, `${looked} characters`);
  });
});
