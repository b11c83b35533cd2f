import assert from 'node:assert/strict';
import { decodeParameters } from '../../../../src/core/abi/decode.ts';
import { formatAbiItem, parseAbiItem } from '../../../../src/core/abi/item.ts';
import { parseAbi } from '../../../../src/core/abi/parseAbi.ts';
import { type Hex, toAbiWord } from '../../../../src/core/index.ts';

const TOKEN = `0x${'22'.repeat(20)}` as const;
const functionOf = (...inputs: readonly object[]) => ({ type: 'function', name: 'f', inputs, outputs: [] });

/** Signature, selector and text of the only item of an ABI. */
function read(entry: object) {
  const [text, ...others] = parseAbi([entry]).items;
  assert.deepEqual(others, []);
  const item = parseAbiItem(text ?? assert.fail());
  assert.ok(item?.kind === 'function');
  assert.equal(formatAbiItem(item), text);
  return item;
}

describe('ABI of a library', () => {
  it('has enums and contracts by their written names', () => {
    const item = read({
      ...functionOf(
        { name: 'kind', type: 'Lib.Kind', internalType: 'enum Lib.Kind' },
        { name: 'token', type: 'IERC20', internalType: 'contract IERC20' },
      ),
      name: 'kindOf',
    });
    assert.deepEqual([item.signature, item.selector], ['kindOf(Lib.Kind,IERC20)', '0x7447343a']);
    const data: Hex = `${toAbiWord(1n)}${toAbiWord(TOKEN).slice(2) as ''}`;
    assert.deepEqual(decodeParameters(item.inputs, data), [1n, TOKEN]);
  });

  it('has storage references, which are slots', () => {
    const self = { name: 'self', type: 'Lib.Data storage' };
    const item = read({ ...functionOf(self, { name: 'amount', type: 'uint256' }), name: 'fill' });
    assert.deepEqual([item.signature, item.selector], ['fill(Lib.Data storage,uint256)', '0x9938a18a']);
    const data: Hex = `${toAbiWord(5n)}${toAbiWord(9n).slice(2) as ''}`;
    assert.deepEqual(decodeParameters(item.inputs, data), [5n, 9n]);
    for (const type of ['mapping(address => uint256) storage', 'uint256[] storage', 'Lib.Data[2] storage']) {
      assert.equal(read(functionOf({ name: 'self', type })).signature, `f(${type})`);
    }
  });

  it('has lists, and names of which nothing more is known', () => {
    assert.equal(
      read(functionOf({ name: '', type: 'Lib.Kind[2][]', internalType: 'enum Lib.Kind[2][]' })).signature,
      'f(Lib.Kind[2][])',
    );
    const item = read(functionOf({ name: 'kind', type: 'Lib.Kind' }));
    assert.deepEqual(decodeParameters(item.inputs, toAbiWord(1n)), [toAbiWord(1n)]);
  });

  it('has structs by their names if it is known to be of a library, or another type shows it', () => {
    const note = { name: 'note', type: 'tuple[2]', internalType: 'struct Lib.Note[2]' };
    const plain = { ...note, components: [{ name: 'n', type: 'uint256' }] };
    const of = (entry: object, isLibrary?: boolean) =>
      parseAbi([functionOf(entry)], { isLibrary }).items.map((text) => parseAbiItem(text)?.signature);
    assert.deepEqual(of(plain), ['f((uint256)[2])']);
    assert.deepEqual(of(plain, true), ['f(Lib.Note[2])']);
    assert.deepEqual(of({ ...plain, internalType: undefined }, true), [], 'its selector is unknown');
    const by = { name: 'by', type: 'IERC20', internalType: 'contract IERC20' };
    const item = read(functionOf({ ...note, components: [by] }));
    assert.equal(item.signature, 'f(Lib.Note[2])');
    const data: Hex = `${toAbiWord(TOKEN)}${toAbiWord(TOKEN).slice(2) as ''}`;
    assert.deepEqual(decodeParameters(item.inputs, data), [[[TOKEN], [TOKEN]]]);
  });

  it('is skipped where a name can be none, and for events', () => {
    const input = { name: 'a', type: 'Lib.Kind', internalType: 'enum Lib.Kind' };
    const entries = [
      functionOf({ name: 'a', type: 'Lib..Kind' }),
      functionOf({ name: 'a', type: 'word' }),
      { ...functionOf(input), type: 'event' },
    ];
    assert.deepEqual(parseAbi(entries), { items: [], skipped: 3 });
    assert.equal(parseAbiItem('event E(enum Lib.Kind a)'), undefined);
  });
});
