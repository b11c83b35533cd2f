import assert from 'node:assert/strict';
import fc from 'fast-check';
import { findAllHex, findHexAt } from '../../../src/host/places/hexInText.ts';

const SELECTOR = '0xa9059cbb';
const TOPIC = `0x${'ab'.repeat(32)}`;
const ADDRESS = `0x${'5a'.repeat(20)}`;
const WORD = `${'0'.repeat(63)}7`;

const found = (text: string) => [...findAllHex(text)].map(({ hex, offset }) => [hex, offset]);
const at = (line: string, offset: number) => findHexAt(line, offset)?.hex;

describe('Hex in a text', () => {
  it('is found at the start, at the end and between signs, in lower case', () => {
    assert.deepEqual(found(SELECTOR), [[SELECTOR, 0]]);
    assert.deepEqual(found(`(${SELECTOR}),"${TOPIC.toUpperCase()}"`), [
      [SELECTOR, 1],
      [TOPIC, 14],
    ]);
  });

  it('is no address, no short number, and no part of a name or of a longer word', () => {
    for (const text of [ADDRESS, '0x1234567', `x${SELECTOR}`, `${SELECTOR}g`, `$${SELECTOR}`, `${TOPIC}_a`]) {
      assert.deepEqual(found(text), [], text);
      for (let offset = 0; offset <= text.length; offset++) assert.equal(at(text, offset), undefined, text);
    }
  });

  it('is found with an odd number of digits, of which can be said that it is broken', () => {
    assert.deepEqual(found(`${SELECTOR}0`), [[`${SELECTOR}0`, 0]]);
  });

  it('is one with the arguments of an error as Foundry writes one that it does not know', () => {
    for (const line of [
      `custom error ${SELECTOR}: ${WORD}${WORD}]`,
      `custom error ${SELECTOR}:${WORD}${WORD}`,
    ]) {
      assert.deepEqual(found(line), [[`${SELECTOR}${WORD}${WORD}`, 13]]);
      for (const offset of [13, 20, 30, 13 + 11 + 128]) assert.equal(at(line, offset), found(line)[0]?.[0]);
    }
    for (const line of [`${SELECTOR}: 12`, `${SELECTOR}: ${WORD}x`, `${SELECTOR}, ${WORD}`]) {
      assert.deepEqual(found(line), [[SELECTOR, 0]], line);
    }
  });

  it('is known to be cut off where the text goes on with an ellipsis', () => {
    for (const [text, isCut] of [
      [`${TOPIC}…`, true],
      [`(${TOPIC}...)`, true],
      [`${TOPIC}.`, false],
      [`${TOPIC} …`, false],
    ] as const) {
      assert.equal(findHexAt(text, 5)?.isCut, isCut, text);
      assert.deepEqual(
        [...findAllHex(text)].map((each) => each.isCut),
        [isCut],
      );
    }
  });

  it('is what a Solidity literal holds', () => {
    const line = `bytes data = hex"a9059cbb${WORD}";`;
    assert.deepEqual(found(line), [[`${SELECTOR}${WORD}`, 13]]);
    assert.equal(at(line, 40), `${SELECTOR}${WORD}`);
    assert.deepEqual(found('hex"a9059cbb'), []);
  });

  it('is found from every place in it, and from none beside it', () => {
    const between = fc.constantFrom(' ', '",', ' = ', ': [', ' -> ');
    const hex = fc.stringMatching(/^0[xX][0-9a-fA-F]{8,90}$/).filter((text) => text.length !== 42);
    fc.assert(
      fc.property(fc.array(fc.tuple(between, hex), { maxLength: 5 }), between, (parts, end) => {
        const line = parts.flat().join('') + end;
        const all = [...findAllHex(line)];
        assert.deepEqual(
          all.map(({ hex }) => hex),
          parts.map(([, text]) => text.toLowerCase()),
        );
        for (let offset = 0; offset <= line.length; offset++) {
          const inside = all.filter((each) => each.offset <= offset && offset <= each.offset + each.length);
          assert.deepEqual(findHexAt(line, offset), inside[0], `${line} at ${offset}`);
        }
      }),
    );
  });

  it('is read to a bound and no further, on a line of any length', () => {
    const digits = 'a'.repeat(9 * 1024 * 1024);
    assert.ok((findHexAt(`0x${digits}`, 5)?.length ?? 0) < 5 * 1024 * 1024);
    assert.equal(findHexAt(`0x${digits}`, digits.length), undefined);
    assert.equal(findHexAt(`0x${'x'.repeat(5_000_000)}`, 5), undefined);
  });
});
