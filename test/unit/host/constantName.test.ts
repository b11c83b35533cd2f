import assert from 'node:assert/strict';
import { findConstantName, isCodePath } from '../../../src/host/places/workspaceAddresses.ts';

const ADDRESS = `0x${'ab'.repeat(20)}`;

function nameIn(text: string): string | undefined {
  return findConstantName(text, text.indexOf('0x'));
}

describe('the name of a constant', () => {
  for (const [line, name] of [
    [`    address public constant TREASURY = ${ADDRESS};`, 'TREASURY'],
    [`    address internal constant treasury_ = address(${ADDRESS});`, 'treasury_'],
    [`IERC20 constant WETH = IERC20(payable(${ADDRESS}));`, 'WETH'],
    [`address immutable owner = ${ADDRESS};`, 'owner'],
    [`TREASURY: constant(address) = ${ADDRESS}`, 'TREASURY'],
    [`export const treasury: Address = '${ADDRESS}';`, 'treasury'],
    [`export const treasury = "${ADDRESS}" as const;`, 'treasury'],
    [`const TOKENS = { USDC: '${ADDRESS}' };`, 'USDC'],
    [`  USDC: getAddress("${ADDRESS}"),`, 'USDC'],
    [`\tWETH = ${ADDRESS}`, 'WETH'],
    [`pub const VAULT: Address = address!("${ADDRESS}");`, undefined],
    [`address treasury = ${ADDRESS};`, undefined],
    [`send({ from: '${ADDRESS}' })`, undefined],
    [`const sent = await send('${ADDRESS}')`, undefined],
    [`// address constant OLD = ${ADDRESS};`, undefined],
    [`if (TREASURY == ${ADDRESS}) {`, undefined],
    [`${ADDRESS}`, undefined],
    [`address constant A =\n  ${ADDRESS};`, undefined],
    [`address constant ${'A'.repeat(65)} = ${ADDRESS};`, undefined],
  ] as const) {
    it(`in ${line.trim().slice(0, 60)}`, () => assert.equal(nameIn(line), name));
  }

  it('is that of code, not of what programs write', () => {
    assert.deepEqual(
      ['a/B.sol', 'a.VY', 'x.ts', 'run-latest.json', 'notes.md', 'foundry.toml'].map(isCodePath),
      [true, true, true, false, false, false],
    );
  });
});
