import assert from 'node:assert/strict';
import { attachEnums } from '../../../../src/core/abi/enums.ts';
import { parseAbiItem } from '../../../../src/core/abi/item.ts';
import { listAbiEnums, parseAbi } from '../../../../src/core/abi/parseAbi.ts';
import { formatWrittenType } from '../../../../src/core/abi/type.ts';

const uint = (name: string, internalType = 'uint256') => ({ name, type: 'uint256', internalType });
const components = [uint('daily'), { name: 'tiers', type: 'uint8[]', internalType: 'enum Vault.Tier[]' }];
const abi = [
  {
    type: 'function',
    name: 'limitsOf',
    stateMutability: 'view',
    inputs: [
      { name: 'token', type: 'address', internalType: 'contract IERC20' },
      { name: 'who', type: 'address', internalType: 'address' },
    ],
    outputs: [
      { name: 'tier', type: 'uint8', internalType: 'enum Vault.Tier' },
      { name: 'all', type: 'tuple[2][]', internalType: 'struct Vault.Limits[2][]', components },
      uint('price', 'Price'),
      uint('plain'),
    ],
  },
];

describe('types as the source writes them', () => {
  const [text = assert.fail()] = parseAbi(abi).items;
  const item = parseAbiItem(text) ?? assert.fail();
  const places = [listAbiEnums(abi)[text] ?? assert.fail()];
  const written = (find: Parameters<typeof attachEnums>[1]['find']) => {
    const attached = attachEnums(item, { places, find });
    const outputs = attached.kind === 'function' ? attached.outputs : [];
    return [...attached.inputs, ...outputs].map(({ type }) => formatWrittenType(type));
  };

  it('are the names in a compiled ABI, with the enum known or not', () => {
    const expected = ['IERC20', 'address', 'Tier', 'Limits[2][]', 'Price', 'uint256'];
    assert.deepEqual(
      written(() => undefined),
      expected,
    );
    assert.deepEqual(
      written(() => ({ name: 'Vault.Tier', members: ['Basic', 'Gold'] })),
      expected,
    );
    assert.deepEqual(
      item.inputs.map(({ type }) => formatWrittenType(type)),
      ['address', 'address'],
    );
  });

  it('are canonical where two sources have other names', () => {
    const other = [{ path: '0', name: 'IToken', isOther: true } as const];
    const attached = attachEnums(item, { places: [...places, other], find: () => undefined });
    assert.equal(formatWrittenType(attached.inputs[0]?.type ?? assert.fail()), 'address');
  });
});
