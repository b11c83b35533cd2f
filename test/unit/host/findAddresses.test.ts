import assert from 'node:assert/strict';
import fc from 'fast-check';
import { parsePastedAddress } from '../../../src/host/names/addressName.ts';
import { findAddressAt, findAddresses } from '../../../src/host/places/hexInText.ts';

const ADDRESS = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed';
const HASH = `0x${'ab'.repeat(32)}`;

const found = (text: string) => [...findAddresses(text)].map(({ written, offset }) => [written, offset]);

describe('Addresses in a text', () => {
  it('are found at the start, at the end and between signs', () => {
    assert.deepEqual(found(ADDRESS), [[ADDRESS, 0]]);
    assert.deepEqual(found(`address(${ADDRESS});`), [[ADDRESS, 8]]);
    assert.deepEqual(found(`"${ADDRESS}",${ADDRESS}`), [
      [ADDRESS, 1],
      [ADDRESS, 45],
    ]);
  });

  it('are compared in lower case and kept as written', () => {
    assert.equal([...findAddresses(ADDRESS)][0]?.address, ADDRESS.toLowerCase());
    assert.deepEqual(found(ADDRESS.toUpperCase()), [[`0x${ADDRESS.slice(2).toUpperCase()}`, 0]]);
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
      assert.deepEqual(found(text), [], text);
    }
    assert.deepEqual(found(`${HASH} ${ADDRESS}`), [[ADDRESS, 67]]);
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
