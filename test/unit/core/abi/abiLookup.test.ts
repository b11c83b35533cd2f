import assert from 'node:assert/strict';
import type { AbiLookup, Trust } from '../../../../src/core/abi/candidates.ts';
import { createAbiLookup, mergeLookups } from '../../../../src/core/abi/lookup.ts';
import { hashSignature, toSelector } from '../../../../src/core/eth/keccak.ts';

const TRANSFER = hashSignature('Transfer(address,address,uint256)');
const fungible = 'event Transfer(address indexed from, address indexed to, uint256 value)';
const nonFungible = 'event Transfer(address indexed from, address indexed to, uint256 indexed tokenId)';

function known(text: string, { trust = 'workspace', from = 'a' }: { trust?: Trust; from?: string } = {}) {
  return { text, origin: { trust, from, contract: undefined, line: undefined } };
}

function transfers(lookup: AbiLookup): readonly string[] {
  return lookup.events(TRANSFER).map(({ item, origin }) => {
    return `${origin.trust} ${origin.from} ${item.inputs.map(({ name, indexed }) => `${name}${indexed ? '*' : ''}`)}`;
  });
}

describe('ABI lookup', () => {
  it('finds each kind of item by its own hash', () => {
    const lookup = createAbiLookup([
      known('event Paid(uint256 amount)'),
      known('error Paid(uint256 amount)'),
      known('function Paid(uint256 amount) returns (bool)'),
    ]);
    const selector = toSelector('Paid(uint256)');
    const topic0 = hashSignature('Paid(uint256)');
    assert.deepEqual(
      lookup.events(topic0).map(({ item }) => item.kind),
      ['event'],
    );
    assert.deepEqual(
      lookup.errors(selector).map(({ item }) => item.kind),
      ['error'],
    );
    assert.deepEqual(
      lookup.functions(selector).map(({ item }) => item.kind),
      ['function'],
    );
    assert.deepEqual(lookup.events(selector), []);
    assert.deepEqual(lookup.events(undefined), []);
  });

  it('gives the most trusted first, whatever their order', () => {
    const lookup = createAbiLookup([
      known(fungible, { trust: 'bundled', from: 'ERC-20' }),
      known(nonFungible, { trust: 'deployment', from: 'broadcast' }),
    ]);
    assert.deepEqual(transfers(lookup), [
      'deployment broadcast from*,to*,tokenId*',
      'bundled ERC-20 from*,to*,value',
    ]);
  });

  it('leaves out what differs from a more trusted item in names alone', () => {
    const named = 'event Transfer(address indexed src, address indexed dst, uint256 wad)';
    const lookup = mergeLookups(
      createAbiLookup([known(fungible, { trust: 'bundled', from: 'ERC-20' }), known(nonFungible)]),
      createAbiLookup([known(named, { from: 'src/Weth.sol' })]),
    );
    assert.deepEqual(transfers(lookup), [
      'workspace a from*,to*,tokenId*',
      'workspace src/Weth.sol src*,dst*,wad',
    ]);
  });

  it('keeps anonymous events apart, with no topic0', () => {
    const lookup = createAbiLookup([
      known('event Note(uint256 amount) anonymous'),
      known('event Note(uint256 amount)'),
    ]);
    assert.deepEqual(
      lookup.events(undefined).map(({ item }) => item.anonymous),
      [true],
    );
    assert.deepEqual(
      lookup.events(hashSignature('Note(uint256)')).map(({ item }) => item.anonymous),
      [false],
    );
  });

  it('leaves out what is no item', () => {
    const lookup = createAbiLookup([known('event'), known('eventual()'), known('event Broken(uint7 a)')]);
    assert.deepEqual(lookup.events(hashSignature('Broken(uint7)')), []);
  });

  it('reads nothing before it is asked, and then one kind of items', () => {
    const read: string[] = [];
    const watched = (text: string) => ({
      get text() {
        read.push(text);
        return text;
      },
      origin: known('').origin,
    });
    const items = [watched('event A()'), watched('function a()')];
    const lookup = createAbiLookup(items);
    assert.deepEqual(read, []);
    lookup.events(hashSignature('A()'));
    assert.equal(read.filter((text) => text === 'function a()').length, 1, 'its kind alone is looked at');
    assert.ok(read.filter((text) => text === 'event A()').length > 1);
  });

  it('is prepared in slices, and answers the same', async () => {
    const items = Array.from({ length: 50 }, (_, index) => known(`function f${index}()`));
    const lookup = createAbiLookup(items);
    let rests = 0;
    await lookup.prepare({ isOver: () => true, rest: async () => void rests++ });
    assert.equal(rests, 50);
    assert.equal(lookup.functions(toSelector('f49()'))[0]?.item.name, 'f49');
  });

  it('stops preparing when told to', async () => {
    const lookup = createAbiLookup([known('function f()'), known('function g()')]);
    const stopped = new Error('stopped');
    await assert.rejects(
      lookup.prepare({ isOver: () => true, rest: () => Promise.reject(stopped) }),
      stopped,
    );
    assert.equal(lookup.functions(toSelector('g()')).length, 1);
  });
});
