import assert from 'node:assert/strict';
import fc from 'fast-check';
import { parsePastedAddress } from '../../../../src/host/names/addressName.ts';
import {
  findAddressAt,
  findAddresses,
  findAllHex,
  findHexAt,
} from '../../../../src/host/places/hexInText.ts';

const ADDRESS = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed';
const HASH = `0x${'ab'.repeat(32)}`;

const addressesIn = (text: string) =>
  [...findAddresses(text)].map(({ written, offset }) => [written, offset]);

describe('Addresses in a text', () => {
  it('are found at the start, at the end and between signs', () => {
    assert.deepEqual(addressesIn(ADDRESS), [[ADDRESS, 0]]);
    assert.deepEqual(addressesIn(`address(${ADDRESS});`), [[ADDRESS, 8]]);
    assert.deepEqual(addressesIn(`"${ADDRESS}",${ADDRESS}`), [
      [ADDRESS, 1],
      [ADDRESS, 45],
    ]);
  });

  it('are compared in lower case and kept as written', () => {
    assert.equal([...findAddresses(ADDRESS)][0]?.address, ADDRESS.toLowerCase());
    assert.deepEqual(addressesIn(ADDRESS.toUpperCase()), [[`0x${ADDRESS.slice(2).toUpperCase()}`, 0]]);
  });

  it('are no part of a hash, a longer or shorter number, or a name', () => {
    for (const text of [
      HASH,
      `${ADDRESS}0`,
      ADDRESS.slice(0, -1),
      `1${ADDRESS}`,
      `my${ADDRESS}`,
      `${ADDRESS}_x`,
    ]) {
      assert.deepEqual(addressesIn(text), [], text);
    }
    assert.deepEqual(addressesIn(`${HASH} ${ADDRESS}`), [[ADDRESS, 67]]);
  });

  it('are all found wherever they stand, and nothing else is', () => {
    const address = fc
      .uint8Array({ minLength: 20, maxLength: 20 })
      .map((bytes) => `0x${Buffer.from(bytes).toString('hex')}`);
    const filler = fc.constantFrom(' ', '\n', '"', '();', 'x = ', `${HASH} `, '0x12 ', '…', '→');
    fc.assert(
      fc.property(fc.array(fc.tuple(filler, address)), (parts) => {
        const text = parts.map(([before, written]) => `${before} ${written} `).join('');
        assert.deepEqual(
          [...findAddresses(text)].map(({ written }) => written),
          parts.map(([, written]) => written),
        );
        for (const { written, offset } of findAddresses(text)) {
          assert.equal(text.slice(offset, offset + 42), written);
        }
      }),
    );
  });
});

describe('The address at a position', () => {
  const line = `  a = ${ADDRESS}; b = ${HASH};`;

  it('is the one that the position lies in or at the edge of', () => {
    assert.equal(findAddressAt(line, 5)?.written, undefined);
    for (const offset of [6, 7, 30, 48]) assert.equal(findAddressAt(line, offset)?.offset, 6);
    assert.equal(findAddressAt(line, 49), undefined);
    assert.equal(findAddressAt(line, line.indexOf(HASH) + 30), undefined);
  });

  it('is found in a line of any length, and only near the position', () => {
    const long = `${'f'.repeat(3_000_000)} ${ADDRESS} ${'0'.repeat(3_000_000)}`;
    assert.equal(findAddressAt(long, 3_000_010)?.offset, 3_000_001);
    assert.equal(findAddressAt(long, 10), undefined);
  });

  it('is not cut out of a long run of hex digits', () => {
    const run = `0x${'a'.repeat(500)}`;
    for (let offset = 0; offset < run.length; offset++) assert.equal(findAddressAt(run, offset), undefined);
  });
});

describe('A pasted address', () => {
  it('is taken out of what stands around it, with its letter case', () => {
    const around = [
      ADDRESS,
      `  ${ADDRESS}\n`,
      `"${ADDRESS}",`,
      `'${ADDRESS}'`,
      `address(${ADDRESS});`,
      `https://explorer.example/address/${ADDRESS}?tab=logs`,
      `\`${ADDRESS}\``,
      ADDRESS.slice(2),
      `${ADDRESS} ${ADDRESS.toLowerCase()}`,
    ];
    for (const text of around) assert.equal(parsePastedAddress(text)?.written, ADDRESS, text);
  });

  it('is none where there are several, or something else', () => {
    for (const text of ['', '0x12', HASH, 'Treasury', `${ADDRESS} 0x${'12'.repeat(20)}`]) {
      assert.equal(parsePastedAddress(text), undefined, text);
    }
  });
});

const SELECTOR = '0xa9059cbb';
const TOPIC = `0x${'ab'.repeat(32)}`;
const HEX_ADDRESS = `0x${'5a'.repeat(20)}`;
const WORD = `${'0'.repeat(63)}7`;

const hexIn = (text: string) => [...findAllHex(text)].map(({ hex, offset }) => [hex, offset]);
const at = (line: string, offset: number) => findHexAt(line, offset)?.hex;

describe('Hex in a text', () => {
  it('is found at the start, at the end and between signs, in lower case', () => {
    assert.deepEqual(hexIn(SELECTOR), [[SELECTOR, 0]]);
    assert.deepEqual(hexIn(`(${SELECTOR}),"${TOPIC.toUpperCase()}"`), [
      [SELECTOR, 1],
      [TOPIC, 14],
    ]);
  });

  it('is no address, no short number, and no part of a name or of a longer word', () => {
    for (const text of [
      HEX_ADDRESS,
      '0x1234567',
      `x${SELECTOR}`,
      `${SELECTOR}g`,
      `$${SELECTOR}`,
      `${TOPIC}_a`,
    ]) {
      assert.deepEqual(hexIn(text), [], text);
      for (let offset = 0; offset <= text.length; offset++) assert.equal(at(text, offset), undefined, text);
    }
  });

  it('is found with an odd number of digits, of which can be said that it is broken', () => {
    assert.deepEqual(hexIn(`${SELECTOR}0`), [[`${SELECTOR}0`, 0]]);
  });

  it('is one with the arguments of an error as Foundry writes one that it does not know', () => {
    for (const line of [
      `custom error ${SELECTOR}: ${WORD}${WORD}]`,
      `custom error ${SELECTOR}:${WORD}${WORD}`,
    ]) {
      assert.deepEqual(hexIn(line), [[`${SELECTOR}${WORD}${WORD}`, 13]]);
      for (const offset of [13, 20, 30, 13 + 11 + 128]) assert.equal(at(line, offset), hexIn(line)[0]?.[0]);
    }
    for (const line of [`${SELECTOR}: 12`, `${SELECTOR}: ${WORD}x`, `${SELECTOR}, ${WORD}`]) {
      assert.deepEqual(hexIn(line), [[SELECTOR, 0]], line);
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
    assert.deepEqual(hexIn(line), [[`${SELECTOR}${WORD}`, 13]]);
    assert.equal(at(line, 40), `${SELECTOR}${WORD}`);
    assert.deepEqual(hexIn('hex"a9059cbb'), []);
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
