import assert from 'node:assert/strict';
import { abi, readContracts, readFactsOf } from '../../../support/projectFacts.ts';

describe('plain ABI files', () => {
  it('are named by the file', () => {
    for (const text of [JSON.stringify(abi), JSON.stringify({ abi })]) {
      assert.deepEqual(readContracts('subgraph/abis/Token.abi.json', text), [['Token', 'event Pinged()']]);
    }
  });

  it('have a name without a version', () => {
    const names = ['abis/Game-1.2.0.json', 'abis/Game_v3.0.json', 'abis/Game.v2.json', 'abis/V2.json'].map(
      (path) => readFactsOf(path, abi).contracts[0]?.name,
    );
    assert.deepEqual(names, ['Game', 'Game', 'Game', 'V2']);
  });

  it('are no other lists', () => {
    for (const json of [[], [1, 2], [{ type: 'button', name: 'x' }], [[]], '"text"', 'null', '']) {
      assert.deepEqual(readFactsOf('data.json', json), { contracts: [], deployments: [], labels: [] });
    }
  });

  it('are an error where they look like one and are broken', () => {
    for (const text of [
      '[{"type":"function","name":"f","inputs":[],"stateMutability":"view"}',
      '[{"type":"event","name":"Paid","inputs":[{"na',
      '// from the explorer\n[{"type":"event","name":"Paid","inputs":[]}]',
    ])
      assert.throws(() => readFactsOf('abis/F.json', text), { kind: 'badInput' });
  });

  it('have a reason for items that cannot be read, also if there are no others', () => {
    const words = { type: 'event', name: 'Odd', inputs: [{ name: 'a', type: 'word' }] };
    const truncation = 'Malformed items of the ABI that are not read: 1.';
    const none = { type: 'constructor', inputs: [] };
    for (const json of [
      [words, none],
      { abi: [words, ...abi] },
      { contracts: { 'A.sol:A': { abi: [words] } } },
    ])
      assert.equal(readFactsOf('abis/F.json', json).truncation, truncation, JSON.stringify(json));
    const others = [{ type: 'struct', name: 'S', members: [] }, ...abi];
    assert.equal(readFactsOf('abis/F.json', others).truncation, undefined);
    assert.equal(
      readFactsOf('abis/F.json', ['struct S { uint256 a; }', 'event E(S s)']).truncation,
      undefined,
    );
  });
});
