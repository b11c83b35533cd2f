import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { AppError } from '../../../../src/core/index.ts';
import { parseLayout } from '../../../../src/core/project/layout.ts';
import { classifyFile, readFacts } from '../../../../src/core/project/readers/readFacts.ts';

const A = `0x${'a'.repeat(40)}`;
const HASH = `0x${'1'.repeat(64)}`;
const abi = [
  {
    type: 'event',
    name: 'E',
    inputs: [{ name: 'a', type: 'tuple[]', components: [{ name: 'b', type: 'uint8' }] }],
  },
];

/** A whole file of each kind. */
const files: readonly (readonly [path: string, text: string])[] = [
  ['foundry.toml', `[profile.default]\nsrc = "a"\nlibs = ["b"]\n[labels]\n${A} = "Name"\n`],
  [
    'out/A.sol/A.json',
    JSON.stringify({ abi, metadata: { settings: { compilationTarget: { 'src/A.sol': 'A' } } }, ast: {} }),
  ],
  [
    'build/contracts/A.json',
    JSON.stringify({ contractName: 'A', abi, networks: { 1: { address: A, transactionHash: HASH } } }),
  ],
  [
    'broadcast/D.s.sol/1/run-latest.json',
    JSON.stringify({
      transactions: [{ hash: HASH, transactionType: 'CREATE', contractName: 'A', contractAddress: A }],
      receipts: [{ transactionHash: HASH, status: '0x1', blockNumber: '0x1', contractAddress: A }],
      libraries: [`src/L.sol:L:${A}`],
      chain: 1,
    }),
  ],
  ['ignition/deployments/chain-1/deployed_addresses.json', JSON.stringify({ 'M#A': A })],
  [
    'ignition/deployments/chain-1/journal.jsonl',
    [
      { type: 'DEPLOYMENT_INITIALIZE', chainId: 1 },
      { type: 'DEPLOYMENT_EXECUTION_STATE_INITIALIZE', futureId: 'M#A', contractName: 'A' },
      { type: 'TRANSACTION_CONFIRM', futureId: 'M#A', hash: HASH, receipt: { blockNumber: 1 } },
      {
        type: 'DEPLOYMENT_EXECUTION_STATE_COMPLETE',
        futureId: 'M#A',
        result: { type: 'SUCCESS', address: A },
      },
    ]
      .map((line) => JSON.stringify(line))
      .join('\n'),
  ],
  ['addresses.json', JSON.stringify({ 1: { Token: A, Pool: { address: A, abi, blockNumber: 1 } } })],
  ['tokens.json', JSON.stringify({ tokens: [{ chainId: 1, address: A, symbol: 'A' }] })],
  ['abis/A.json', JSON.stringify(abi)],
  [
    'src/contracts.ts',
    `export const aAbi = [{ type: 'event', name: "E", inputs: [] }] as const // ${A}\nconst x = { 1: { a: '${A}', [b.id]: \`c\` } }\n`,
  ],
];

const layout = parseLayout({});

/** Pieces that matter to one of the forms. */
const pieces = [
  '',
  '{',
  '}',
  '[',
  ']',
  '"',
  "'",
  '`',
  ',',
  ':',
  '\\',
  '//',
  '/*',
  '\n',
  'null',
  '-',
  '...',
  '\ud800',
  '\0',
];

describe('a file that is broken', () => {
  for (const [path, text] of files) {
    it(`${path} gives what it has, or says in one line what is wrong`, () => {
      assert.notEqual(classifyFile(path, layout), undefined);
      const whole = readFacts({ path, text }, layout);
      assert.ok(whole.contracts.length + whole.deployments.length + whole.labels.length > 0);
      const change = fc.record({
        at: fc.nat({ max: text.length }),
        length: fc.nat({ max: 8 }),
        piece: fc.constantFrom(...pieces),
        cut: fc.boolean(),
      });
      fc.assert(
        fc.property(fc.array(change, { minLength: 1, maxLength: 4 }), (changes) => {
          const broken = changes.reduce(
            (now, { at, length, piece, cut }) =>
              now.slice(0, at) + piece + (cut ? '' : now.slice(at + length)),
            text,
          );
          try {
            const { contracts, deployments, labels } = readFacts({ path, text: broken }, layout);
            for (const { address } of [...deployments, ...labels]) assert.match(address, /^0x[0-9a-f]{40}$/);
            for (const { chainId } of deployments) assert.match(chainId, /^[1-9]\d*$/);
            for (const { name } of [...contracts, ...labels]) assert.ok(name.length > 0);
          } catch (error) {
            const { kind, message, cause } = error as AppError;
            assert.deepEqual([kind, cause], ['badInput', undefined], String(error));
            assert.match(message, /^[^\n]{1,300}$/);
          }
        }),
      );
    });
  }

  it('may have a byte order mark, but not any length', () => {
    const [path, text] = ['abis/A.json', JSON.stringify(abi)];
    assert.equal(readFacts({ path, text: `\ufeff${text}` }, layout).contracts.length, 1);
    const long = `${text}${' '.repeat(32 * 1_024 * 1_024)}`;
    assert.throws(() => readFacts({ path, text: long }, layout), { kind: 'badInput', message: /32 MiB/ });
  });
});
