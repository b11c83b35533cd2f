import assert from 'node:assert/strict';
import {
  type AbiFunction,
  createContractIndex,
  mergeLookups,
  type ReadDeps,
  readView,
} from '../../../src/core/index.ts';
import { formatViewValue, parseViewFunction } from '../../../src/host/readValues.ts';
import { contractFacts, factsOfContracts } from '../../support/projectFacts.ts';
import { l10n } from '../../support/stubs.ts';

const address = '0x00000000000000000000000000000000000000aa';
const at = { address, chainId: 1 } as const;
const ROLE = 'function role() view returns (uint8)';
const nameOf = () => undefined;

function parse(declaration: string, lookup?: Parameters<typeof parseViewFunction>[2]): AbiFunction {
  return parseViewFunction(declaration, at, lookup) ?? assert.fail(declaration);
}

function format(item: AbiFunction, value: bigint | `0x${string}`): string {
  const [output] = item.outputs;
  return formatViewValue(output?.type ?? assert.fail(), value, { nameOf, l10n, most: 60 });
}

/** The text of what a function returns. */
async function read(item: AbiFunction, value: bigint, fetchUnits?: ReadDeps['fetchUnits']): Promise<string> {
  const word = `0x${value.toString(16).padStart(64, '0')}` as const;
  const client = {
    callAtBlock: async () => word,
    fetchImplementations: async () => [],
    getCode: async () => '0x' as const,
    requireCode: async () => undefined,
  };
  const deps = { client, chainId: 1, lookup: mergeLookups(), fetchUnits };
  const args = item.inputs.map(() => address);
  const result = await readView({ address, item, args, block: 1n }, deps);
  return format({ ...item, outputs: result.outputs }, result.values[0] as bigint);
}

describe('Values of view functions', () => {
  it('have members of enums by the name that the project gives them', () => {
    const index = createContractIndex();
    const place = { path: 'returns.0', name: 'Payroll.Role', members: ['Employee', 'Auditor'] };
    index.put(
      'src/Payroll.sol',
      factsOfContracts({
        name: 'Payroll',
        source: 'src/Payroll.sol',
        line: 1,
        itemLines: undefined,
        abi: [ROLE],
        enums: { [ROLE]: [place] },
      }),
    );
    assert.equal(format(parse(ROLE, index.lookup), 1n), 'Auditor (1)');
    assert.equal(format(parse(ROLE), 1n), '1');
    // Another result is another function.
    assert.equal(format(parse('function role() view returns (uint256)', index.lookup), 1n), '1');
    assert.equal(parseViewFunction('event Paid()', at, index.lookup), undefined);
  });

  it('are in units of the token for what ERC-20 returns, and for nothing else', async () => {
    const units = { symbol: 'HUSD', decimals: 6 };
    const show = (declaration: string, value: bigint, fetchUnits?: ReadDeps['fetchUnits']) =>
      read(parse(declaration), value, fetchUnits);
    const known = async () => () => units;
    const supply = 'function totalSupply() view returns (uint256)';
    for (const declaration of [
      supply,
      'function balanceOf(address owner) view returns (uint256)',
      'function allowance(address owner, address spender) view returns (uint256)',
    ])
      assert.equal(await show(declaration, 1_250_000_000n, known), '1,250.00 HUSD', declaration);
    for (const declaration of [
      'function decimals() view returns (uint8)',
      'function balanceOf(address owner, uint256 id) view returns (uint256)',
      'function totalSupply() view returns (uint8)',
    ])
      assert.equal(await show(declaration, 12n, known), '12', declaration);
    assert.equal(
      await show(supply, 1_250_000_000n, () => Promise.reject(new Error('down'))),
      '1,250,000,000',
    );
    assert.equal(await show(supply, 1_250_000_000n), '1,250,000,000');
    assert.equal(await show(supply, 2n ** 256n - 1n, known), 'Unlimited');
  });

  it('are in the unit that labels or doc comments give them', async () => {
    const TOTAL = 'function totalAssets() view returns (uint256)';
    const index = createContractIndex();
    const enums = { [TOTAL]: [{ path: 'returns.0', name: '', unit: 'ether' }] };
    index.put(
      'src/V.sol',
      factsOfContracts(contractFacts('V', { source: 'src/V.sol', abi: [TOTAL], enums })),
    );
    assert.equal(await read(parse(TOTAL, index.lookup), 1_500_000_000_000_000_000n), '1.50 ether');
    const labels = {
      ...factsOfContracts(),
      units: [{ field: 'V.totalAssets', unit: '0x00000000000000000000000000000000000000aa' }],
    };
    index.put('.chainside/labels.json', labels);
    const fetchUnits = async (tokens: readonly string[]) => {
      assert.deepEqual(tokens, [address]);
      return () => ({ symbol: 'PBL', decimals: 2 });
    };
    assert.equal(await read(parse(TOTAL, index.lookup), 1_250n, fetchUnits), '12.50 PBL');
    assert.equal(await read(parse(TOTAL, index.lookup), 1_250n), '1,250');
  });

  it('name addresses, by harmless names', () => {
    const owner = parse('function owner() view returns (address)');
    const [output] = owner.outputs;
    const named = formatViewValue(output?.type ?? assert.fail(), address, {
      nameOf: () => 'Trea\u202esury',
      l10n,
      most: 60,
    });
    assert.match(named, /^[^\u202e]+ \(0x0000…00[aA]{2}\)$/);
  });
});
