import assert from 'node:assert/strict';
import { type AbiFunction, createContractIndex, type TokenUnits } from '../../../src/core/index.ts';
import { fetchReadUnits, formatViewValue, parseViewFunction } from '../../../src/host/readValues.ts';
import { factsOfContracts } from '../../support/projectFacts.ts';
import { l10n } from '../../support/stubs.ts';

const address = '0x00000000000000000000000000000000000000aa';
const at = { address, chainId: 1 } as const;
const ROLE = 'function role() view returns (uint8)';
const nameOf = () => undefined;

function parse(declaration: string, lookup?: Parameters<typeof parseViewFunction>[2]): AbiFunction {
  return parseViewFunction(declaration, at, lookup) ?? assert.fail(declaration);
}

function format(item: AbiFunction, value: bigint | `0x${string}`, units?: TokenUnits): string {
  const [output] = item.outputs;
  return formatViewValue(output?.type ?? assert.fail(), value, { nameOf, units, l10n, most: 60 });
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
    const signal = new AbortController().signal;
    const client = { fetchTokenUnits: async () => units };
    const unitsOf = (declaration: string) =>
      fetchReadUnits({ address, item: parse(declaration) }, client, { signal });
    for (const declaration of [
      'function totalSupply() view returns (uint256)',
      'function balanceOf(address owner) view returns (uint256)',
      'function allowance(address owner, address spender) view returns (uint256)',
    ])
      assert.equal(await unitsOf(declaration), units, declaration);
    for (const declaration of [
      'function decimals() view returns (uint8)',
      'function balanceOf(address owner, uint256 id) view returns (uint256)',
      'function totalSupply() view returns (uint8)',
      'function totalSupply() view returns (uint256, uint256)',
    ])
      assert.equal(await unitsOf(declaration), undefined, declaration);
    const failing = { fetchTokenUnits: () => Promise.reject(new Error('down')) };
    const supply = parse('function totalSupply() view returns (uint256)');
    assert.equal(await fetchReadUnits({ address, item: supply }, failing, { signal }), undefined);
    assert.equal(format(supply, 1_250_000_000n, units), '1,250.00 HUSD');
    assert.equal(format(supply, 1_250_000_000n), '1,250,000,000');
    assert.equal(format(supply, 2n ** 256n - 1n, units), 'Unlimited');
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
