import assert from 'node:assert/strict';
import fc from 'fast-check';
import { editDistance, findUnknownTypes, replaceUnknownTypes } from '../../../../src/core/index.ts';

describe('distance of two words', () => {
  it('counts letters put in, left out, changed and swapped', () => {
    for (const [one, other, distance] of [
      ['Transfer', 'Transfer', 0],
      ['Tansfer', 'Transfer', 1],
      ['Tranfser', 'Transfer', 1],
      ['Transfers', 'Transfer', 1],
      ['Trensfar', 'Transfer', 2],
      ['', 'ab', 2],
    ] as const) {
      assert.equal(editDistance(one, other, 2), distance, one);
    }
    assert.equal(editDistance('Paused', 'Transfer', 2), undefined);
    assert.equal(editDistance('abc', 'xyz', 2), undefined);
  });

  it('is the same both ways, and bounded as it is asked', () => {
    const word = fc.string({ maxLength: 8, unit: fc.constantFrom('a', 'b', 'c') });
    fc.assert(
      fc.property(word, word, (one, other) => {
        const far = editDistance(one, other, 20) ?? assert.fail('No words are so far apart.');
        assert.equal(editDistance(other, one, 20), far);
        assert.equal(editDistance(one, other, 2), far <= 2 ? far : undefined);
      }),
    );
  });
});

describe('types that are typed', () => {
  const unknown = (event: string) => findUnknownTypes(event).map(({ word, nearest }) => [word, nearest]);

  it('are told where they are none of the ABI, with the nearest', () => {
    assert.deepEqual(unknown('Transfer(adress,uint)'), [['adress', 'address']]);
    assert.deepEqual(unknown('event Transfer(Address indexed from, unit256 a, boolean b);'), [
      ['Address', 'address'],
      ['unit256', 'uint256'],
      ['boolean', 'bool'],
    ]);
    assert.deepEqual(unknown('Made(uint265[] ids, (adres token, string name) order)'), [
      ['uint265', 'uint256'],
      ['adres', 'address'],
    ]);
    assert.deepEqual(unknown('Listed(IERC20 token)'), [['IERC20', undefined]]);
  });

  it('are left alone while they are typed, and where they are right', () => {
    for (const event of [
      '',
      'Trans',
      'Transfer(',
      'Transfer(adre',
      'Transfer(address,ui',
      'Transfer(address indexed from, address to, uint256 value)',
      'Set(tuple(uint8 a) b, function f, bytes4[2][] c)',
      '0xadress(',
      'Paused() anonymous',
    ]) {
      assert.deepEqual(unknown(event), [], event);
    }
  });

  it('are mended in their places', () => {
    assert.equal(
      replaceUnknownTypes('Transfer(adress, IERC20 t, unit v)'),
      'Transfer(address, IERC20 t, uint v)',
    );
    for (const event of ['Listed(IERC20 token)', 'Transfer(address)']) {
      assert.equal(replaceUnknownTypes(event), undefined);
    }
  });

  it('are looked at in a time that grows with the text', () => {
    assert.ok(findUnknownTypes(`E(${'adress,'.repeat(580)})`).length > 500);
    assert.deepEqual(findUnknownTypes(`E(${'adress,'.repeat(1000)})`), []);
  });
});
