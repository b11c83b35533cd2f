import assert from 'node:assert/strict';
import { parseConstants } from '../../../../src/core/project/readers/modules.ts';
import { readContracts, readDeployments, readFactsOf, readLabels } from '../../../support/projectFacts.ts';

const A = `0x${'a'.repeat(40)}`;
const B = `0x${'b'.repeat(40)}`;

const PATH = 'web/src/generated.ts';
const contracts = (text: string, path = PATH) => readContracts(path, text);
const deployed = (text: string, path = PATH) => readDeployments(path, text);
const labelled = (text: string, path = PATH) => readLabels(path, text);

/** The constants as JSON has them, which knows no objects without a prototype. */
const constants = (text: string) => JSON.parse(JSON.stringify(Object.fromEntries(parseConstants(text))));

/** How many values one meets who goes through `value`, at most `most`. */
function valuesIn(value: unknown, most: number): number {
  let count = 1;
  const inner = typeof value === 'object' && value !== null ? Object.values(value) : [];
  for (const each of inner) if (count < most) count += valuesIn(each, most - count);
  return count;
}

const PINGED = `{ type: 'event', anonymous: false, name: "Pinged", inputs: [{ name: 'by', type: 'address', indexed: true, },], },`;

describe('constants of a module', () => {
  it('are read in every form of a literal', () => {
    const text = `
      import x from 'y'
export const list = [1, -2, 0x10, 1_000, 12n, 1.5e3, true, null, 'a', "b", \`c\`, ] as const;
export const map: Record<number, { a: string }> = {
  /* one */ 31337: { 'quoted-name': "it's", plain: 'a\\'b\\u0041\\x42\\u{43}\\n', }, // two
  [5]: 1, ['six']: 2, [mainnet.id]: 3, [ChainId.BASE]: 4,
} as const satisfies Shape<string, number>
let other = (['x'])
const frozen = Object.freeze({ a: 1 } as const)
module.exports = { a: <string>'x', b: 'y' }
exports.named = 'z'
export default { c: 1 } satisfies Record<string, number>`;
    assert.deepEqual(constants(text), {
      list: [1, -2, 16, 1_000, 12, 1_500, true, null, 'a', 'b', 'c'],
      map: { 5: 1, 31337: { 'quoted-name': "it's", plain: "a'bABC\n" }, six: 2, mainnet: 3, BASE: 4 },
      other: ['x'],
      frozen: { a: 1 },
      default: { c: 1 },
      named: 'z',
    });
  });

  it('are joined where one is used in another', () => {
    const text = `const a = '${A}'\nconst part = { x: 1 }\nexport const all = { a, b: a, ...part, list: [...[1, 2], a] }`;
    assert.deepEqual(constants(text).all, { a: A, b: A, x: 1, list: [1, 2, A] });
  });

  it('are left out where something would have to be run', () => {
    const text = `
const a = { known: 1, called: f('x, y', { z: 1 }), env: process.env.X ?? 'q', fn(a, b) { return { c: 'd' }; }, get g() { return 1 }, arrow: (x) => ({ y: x }), last: 2, sum: 'a' + b, tail: [1].concat(2), text: \`a\${b}\` }
const b = 'a' + c
const c = [1, 2].map((x) => x)
const d = [1]
  .concat(2)
const e = () => ({ f: 1 })
const f = 'end'`;
    assert.deepEqual(constants(text), { a: { known: 1, last: 2 }, f: 'end' });
  });

  it('are none of what stands in comments, strings, templates and patterns', () => {
    const text = `
// export const a = 1
/*
export const b = 1
*/
const t = \`
export const c = 1
\${x}\`
const p = x.replace(/["'\`/*]/g, '') / 2
export const d = "unfinished
export const e = 1`;
    assert.deepEqual(constants(text), { e: 1 });
  });

  it('end, whatever is written', () => {
    for (const piece of [
      'const a = {\n',
      'const a = [',
      '{a:',
      '[',
      '(',
      '...',
      '`',
      "'",
      '/*',
      'a:{[',
      ';{',
      '<',
      '\\',
    ]) {
      const text = `const x = ${piece.repeat(100_000)}`;
      assert.doesNotThrow(() => parseConstants(text), piece);
      assert.doesNotThrow(
        () => parseConstants(`${'const a = {\n'.repeat(20_000)}${piece.repeat(20_000)}`),
        piece,
      );
    }
  });

  it('count as often as they are used, so that few of them are not many values', () => {
    const doubled = Array.from({ length: 60 }, (_, at) => `const c${at + 1} = { a: c${at}, b: c${at} }`);
    const list = `const c0 = [${'1,'.repeat(50_000)}]\n`;
    const uses = Array.from({ length: 1_000 }, (_, at) => `const u${at} = [c0]\n`);
    for (const text of [`const c0 = { x: '${A}' }\n${doubled.join('\n')}`, list + uses.join('')]) {
      const found = parseConstants(text);
      assert.ok(found.size > 10);
      assert.ok(valuesIn([...found.values()], 3_000_000) <= 1_001_000);
    }
  });

  it('are values of their own, whatever their names', () => {
    const found = parseConstants(
      `export const a = { __proto__: { x: 1 }, constructor: 2, 'toString': 3 }`,
    ).get('a');
    assert.deepEqual(Object.keys(found as object), ['__proto__', 'constructor', 'toString']);
    assert.equal(({} as { x?: unknown }).x, undefined);
  });
});

describe('modules with ABIs and addresses', () => {
  it('have ABIs by the names of constants', () => {
    const text = `export const tokenAbi = [${PINGED}] as const\nexport const POOL_ABI = [${PINGED}]\nexport const abi = [${PINGED}];`;
    assert.deepEqual(contracts(text, 'src/abis/Vault.ts'), [
      ['token', 'event Pinged(address indexed by)'],
      ['POOL', 'event Pinged(address indexed by)'],
      ['Vault', 'event Pinged(address indexed by)'],
    ]);
  });

  it('have ABIs in lines of text', () => {
    const text = `export const vaultAbi = parseAbi([\n  'event Opened(uint256 indexed id)',\n  'function open() returns (bool)',\n  'nothing',\n])`;
    assert.deepEqual(contracts(text), [
      ['vault', 'event Opened(uint256 indexed id)', 'function open() returns (bool)'],
    ]);
  });

  it('are what Scaffold-ETH writes', () => {
    const text = `
import { GenericContractsDeclaration } from "~~/utils/scaffold-eth/contract";

const deployedContracts = {
  31337: {
    Token: {
      address: "${A}",
      abi: [${PINGED}],
      inheritedFunctions: {},
      deploymentFile: "run-1.json",
      deployedOnBlock: 3,
    },
  },
  11155111: { Token: { address: "${B}", abi: [${PINGED}] } },
} as const;

export default deployedContracts satisfies GenericContractsDeclaration;
`;
    const path = 'packages/nextjs/contracts/deployedContracts.ts';
    assert.deepEqual(deployed(text, path), [`31337 Token ${A}`, `11155111 Token ${B}`]);
    assert.deepEqual(contracts(text, path).at(0), ['Token', 'event Pinged(address indexed by)']);
    assert.equal(readFactsOf(path, text).deployments[0]?.block, 3n);
  });

  it('are what wagmi generates', () => {
    const text = `
//////////////////////////////////////////////////////////////////////////////
// token
//////////////////////////////////////////////////////////////////////////////

/**
 * - [__View Contract on Ethereum Etherscan__](https://etherscan.io/address/${A})
 */
export const tokenAbi = [
  ${PINGED}
] as const

export const tokenAddress = {
  1: '${A}',
  10: '${B}',
} as const

export const tokenConfig = { address: tokenAddress, abi: tokenAbi } as const

export const useReadToken = /*#__PURE__*/ createUseReadContract({
  abi: tokenAbi,
  address: tokenAddress,
})
`;
    assert.deepEqual(deployed(text), [`1 token ${A}`, `10 token ${B}`]);
    assert.deepEqual(contracts(text), [['token', 'event Pinged(address indexed by)']]);
    assert.deepEqual(labelled(text), []);
  });

  it('name addresses by constants, with the chain that the path has', () => {
    const text = `export const TREASURY_ADDRESS = '${A}'\nexport const ZERO = '0x${'0'.repeat(40)}'\n`;
    assert.deepEqual(labelled(text, 'src/constants.ts'), [`undefined TREASURY ${A}`]);
    assert.deepEqual(deployed(text, 'src/addresses/base.ts'), [`8453 TREASURY ${A}`]);
    assert.deepEqual(deployed(`export const CHAIN_ID = 10;\n${text}`), [`10 TREASURY ${A}`]);
  });

  it('go through calls that return their argument, of viem, ethers and web3', () => {
    const text = [
      `export const treasury = getAddress('${A}');`,
      `export const vault = '${B}' as Address;`,
      `export const token: Address = getAddress(\`${A}\`, 10);`,
      `export const pool = ethers.utils.getAddress('${B}') as Address;`,
      `export const safe = Web3.utils.toChecksumAddress("${A}")`,
      `export const ox = Address.from('${B}')`,
      `export const other = lookUp('${A}');`,
      `export const sum = getAddress('${A}').slice(2);`,
    ].join('\n');
    const names = ['treasury', 'vault', 'token', 'pool', 'safe', 'ox'];
    assert.deepEqual(
      labelled(text, 'src/addresses.ts').map((label) => label.split(' ')[1]),
      names,
    );
    const abi = `export const paidEvent = parseAbiItem('event Paid(address indexed who, uint256 amount)');
export const payAbi = [paidEvent, viem.parseAbiItem('function pay(uint256 amount)')] as const;
export const shop = new ethers.utils.Interface(['event Sold(Item item)', 'struct Item { uint256 id; }']);
export const till = Interface.from(["error Empty()"]);
export const desk = [AbiEvent.from('event Filed(uint256 id)')];
export const none = new Interfaces(["error Not()"]);
`;
    assert.deepEqual(contracts(abi, 'src/contracts/payAbi.ts'), [
      ['pay', 'event Paid(address indexed who, uint256 amount)', 'function pay(uint256 amount)'],
      ['shop', 'event Sold((uint256 id) item)'],
      ['till', 'error Empty()'],
      ['desk', 'event Filed(uint256 id)'],
    ]);
  });

  it('know the networks of computed names', () => {
    const text = `export const VAULT = { [mainnet.id]: '${A}', [ChainId.OPTIMISM]: '${B}' } as const`;
    assert.deepEqual(deployed(text), [`1 VAULT ${A}`, `10 VAULT ${B}`]);
  });

  it('are not read where they are tests, or too large', () => {
    const text = `export const VAULT = { 1: '${A}' }\n`;
    assert.equal(deployed(text, 'src/contracts.test.ts').length, 0);
    assert.equal(deployed(text, 'test/contracts.ts').length, 0);
    assert.equal(deployed(text).length, 1);
    assert.equal(deployed(text + ' '.repeat(5 * 1_024 * 1_024)).length, 0);
  });
});
