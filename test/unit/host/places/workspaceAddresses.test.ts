import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createTimeSlices, toChecksumAddress } from '../../../../src/core/index.ts';
import {
  findConstantName,
  findFileAddresses,
  findNameNear,
  isCodePath,
} from '../../../../src/host/places/workspaceAddresses.ts';
import { createTestClock } from '../../../support/clocks.ts';

const A = `0x${'ab'.repeat(20)}`;
const B = toChecksumAddress('0x00000000219ab540356cbb839cbe05303d7705fa');

async function found(text: string, path = 'a.json'): Promise<readonly string[]> {
  const slices = createTimeSlices(createTestClock());
  const all = await findFileAddresses(text, path, slices);
  return all.map(({ address, line, name, lines }) => [address, line, name, lines.join('+')].join(' '));
}

describe('the addresses in a text', () => {
  it('stand where they are named, with all their lines', async () => {
    const text = `${A}\n"x": "${B}"\n"treasury": "${A}" "${A}"\n${A}\n`;
    assert.deepEqual(await found(text), [`${A} 2 treasury 0+2+3`, `${B.toLowerCase()} 1 x 1`]);
  });

  it('are not special ones, masks, code or parts of longer hex', async () => {
    for (const text of [
      `0x${'0'.repeat(40)}`,
      `0x${'0'.repeat(39)}9`,
      `0x${'0'.repeat(37)}100`,
      `0x${'f'.repeat(40)}`,
      `${A}ab`,
      `0x12${A.slice(2)}`,
      `"6080604052${A}"`,
      '0x3d602d80600a3d3981f3363d3d373d3d3d363d73',
      `0x60806040${'5'.repeat(32)}`,
    ]) {
      assert.deepEqual(await found(text), [], text);
    }
  });

  it('are not numbers of assembly, where Solidity has no address', async () => {
    assert.deepEqual(await found(`mstore(ptr, ${A})`, 'a.sol'), []);
    assert.deepEqual(await found(`x := shl(96, ${A})`, 'a.yul'), []);
    assert.equal((await found(`mstore(ptr, ${B})`, 'a.sol')).length, 1);
    assert.equal((await found(`// and ${A}`, 'a.sol')).length, 1);
    assert.equal((await found(`vm.parseAddress("and ${A}")`, 'a.sol')).length, 1);
    assert.equal((await found(`add(${A})`, 'a.ts')).length, 1);
  });

  it('of OpenZeppelin’s Clones are none, and of its ERC-4337 those that are deployed', async () => {
    const read = (path: string) => readFileSync(join('node_modules/@openzeppelin/contracts', path), 'utf8');
    assert.deepEqual(await found(read('proxy/Clones.sol'), 'Clones.sol'), []);
    const utils = await found(read('account/utils/ERC4337Utils.sol'), 'ERC4337Utils.sol');
    assert.deepEqual(
      utils.map((one) => one.split(' ')[2]),
      ['ENTRYPOINT_V07', 'ENTRYPOINT_V08', 'ENTRYPOINT_V09'],
    );
  });

  it('are found in one line of ten thousand of them as well', async () => {
    const many = Array.from(
      { length: 10_000 },
      (_, nth) => `0x${(nth + 0x100000).toString(16).padStart(40, '1')}`,
    );
    const all = await found(JSON.stringify({ holders: many }));
    assert.equal(all.length, 10_000);
    assert.equal(all[0], `${many[0]} 0 holders 0`);
  });
});

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

function nameNear(text: string): string | undefined {
  return findNameNear(text, text.indexOf('0x'), ADDRESS.length);
}

describe('the name beside an address', () => {
  for (const [text, name] of [
    [`  "treasury": "${ADDRESS}",`, 'treasury'],
    [`  "Fee Vault": ["${ADDRESS}",`, 'Fee Vault'],
    [`treasury = "${ADDRESS}"`, 'treasury'],
    [`TREASURY_ADDRESS=${ADDRESS}`, 'TREASURY_ADDRESS'],
    [`fee-vault: ${ADDRESS}`, 'fee-vault'],
    [`address treasury = payable(address(${ADDRESS}));`, 'treasury'],
    [`  weth: getAddress('${ADDRESS}'),`, 'weth'],
    [`  "${ADDRESS}": "Treasury",`, 'Treasury'],
    [`"${ADDRESS}" = "Treasury"`, 'Treasury'],
    [`Treasury,${ADDRESS},12`, 'Treasury'],
    [`| Treasury | ${ADDRESS} |`, 'Treasury'],
    [`  ${ADDRESS}, // the old vault`, 'the old vault'],
    [`- ${ADDRESS} # ops`, 'ops'],
    [`{\n  "Router": {\n    "chain": 1,\n    "address": "${ADDRESS}"\n  }\n}`, 'Router'],
    [`[contracts.router]\naddress = "${ADDRESS}"`, 'contracts.router'],
    [`router:\n  address: ${ADDRESS}`, 'router'],
    [`{ "address": "${ADDRESS}" }`, 'address'],
    [`  "a": {},\n  }\n  "address": "${ADDRESS}"`, 'address'],
    [`if (owner == ${ADDRESS}) {`, undefined],
    [`if (owner != address(${ADDRESS})) {`, undefined],
    [`call(${ADDRESS}, 12)`, undefined],
    [`1,${ADDRESS}`, undefined],
    [`"${'x'.repeat(65)}": "${ADDRESS}"`, undefined],
    [ADDRESS, undefined],
  ] as const) {
    it(`in ${JSON.stringify(text).slice(0, 70)}`, () => assert.equal(nameNear(text), name));
  }
});
