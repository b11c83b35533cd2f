import assert from 'node:assert/strict';
import {
  type AppError,
  createSourceFilesReader,
  createTimeSlices,
  AppError as Failure,
  fetchVerifiedChains,
  findDeclaration,
  findUsedDeclarations,
  systemClock,
} from '../../../../src/core/index.ts';

const files = [
  {
    path: 'src/Shop.sol',
    text: [
      'import {Till} from "./base/Till.sol";',
      'import "@lib/contracts/Owned.sol";',
      '',
      'contract Shop is Till, Owned {',
      '    event Paid(address indexed by, uint amount);',
      '    event Paid(address indexed by);',
      '}',
    ].join('\n'),
  },
  {
    path: 'src/base/Till.sol',
    text: '\ncontract Till {\n  struct Sale { uint256 amount; }\n  event Sold(Sale sale);\n}',
  },
  {
    path: 'node_modules/@lib/contracts/Owned.sol',
    text: 'contract Owned {\n  event OwnerChanged(address to);\n}',
  },
  { path: 'readme.md', text: 'contract Shop {}' },
];
const reader = createSourceFilesReader(files, { slices: createTimeSlices(systemClock) });
const where = (text: string, contract: string | undefined = 'Shop') =>
  findDeclaration(reader, { contract, text });

describe('The declaration of an item in verified sources', () => {
  for (const [text, path, line] of [
    ['event Paid(address indexed by, uint256 amount)', 'src/Shop.sol', 5],
    ['event Paid(address indexed by)', 'src/Shop.sol', 6],
    // Inherited, from beside it or by a remapping.
    ['event Sold((uint256 amount) sale)', 'src/base/Till.sol', 4],
    ['event OwnerChanged(address to)', 'node_modules/@lib/contracts/Owned.sol', 2],
    // Not there: the contract.
    ['event Other()', 'src/Shop.sol', 4],
  ] as const)
    it(`is in line ${line} of ${path}: ${text}`, async () =>
      assert.deepEqual(await where(text), { path, line }));

  it('is nothing where the contract is not', async () =>
    assert.equal(await where('event Paid(address indexed by)', 'Nobody'), undefined));

  it('is looked for in all contracts where the name is not known', async () => {
    const find = (text: string) => findDeclaration(reader, { contract: undefined, text });
    assert.deepEqual(await find('event Paid(address indexed by)'), { path: 'src/Shop.sol', line: 6 });
    assert.equal(await find('event Other()'), undefined);
  });
});

describe('What a verified source emits or reverts with', () => {
  const text = [
    'import {Till} from "./base/Till.sol";',
    'import "@lib/contracts/Owned.sol";',
    'library Errors { error Closed(); }',
    'contract Shop is Till, Owned {',
    '    event Paid(address indexed by, uint amount);',
    '    event Paid(address indexed by);',
    '    function pay() external { emit Sold(Sale(1)); emit OwnerChanged(msg.sender); emit Paid(msg.sender);',
    '      if (true) revert Errors.Closed(); emit Nowhere(); }',
    '}',
  ].join('\n');
  const shop = createSourceFilesReader([{ path: 'src/Shop.sol', text }, ...files.slice(1)], {
    slices: createTimeSlices(systemClock),
  });
  const at = (words: string, path = 'src/Shop.sol') =>
    findUsedDeclarations(shop, { path, offset: text.indexOf(words) });

  it('is declared in what the contract inherits, in another file', async () => {
    assert.deepEqual(await at('Sold('), [{ path: 'src/base/Till.sol', line: 4 }]);
    const owned = 'node_modules/@lib/contracts/Owned.sol';
    assert.deepEqual(await at('OwnerChanged('), [{ path: owned, line: 2 }]);
  });

  it('is declared in the file, in several places where it is overloaded', async () => {
    assert.deepEqual(await at('Paid(msg'), [
      { path: 'src/Shop.sol', line: 5 },
      { path: 'src/Shop.sol', line: 6 },
    ]);
    assert.deepEqual(await at('Closed();', 'src/Shop.sol'), []);
    assert.deepEqual(await at('Errors.Closed'), [{ path: 'src/Shop.sol', line: 3 }]);
  });

  it('is nothing elsewhere, nor where the files do not have it', async () => {
    assert.deepEqual(await at('Nowhere('), []);
    assert.deepEqual(await at('contract Shop'), []);
    assert.deepEqual(await at('Sold(', 'src/None.sol'), []);
  });

  it('is looked for no longer once nobody wants it', async () => {
    const signal = AbortSignal.abort('gone');
    const offset = text.indexOf('Sold(');
    await assert.rejects(
      findUsedDeclarations(shop, { path: 'src/Shop.sol', offset }, { signal }),
      (why) => why === 'gone',
    );
  });
});

describe('Chains on which an address is verified', () => {
  const source = { name: 's', origin: 'https://s.example', takesKey: false };
  const knowing = (...chainIds: number[]) => ({
    offers: { verifiedOn: 'free' as const },
    verifiedOn: async () => ({ source, readAt: 0, chainIds }),
  });
  const failing = (error: AppError) => ({
    offers: { verifiedOn: 'free' as const },
    verifiedOn: async () => Promise.reject(error),
  });
  const address = `0x${'ab'.repeat(20)}` as const;

  it('are those of all who know more than one', async () => {
    const one = { offers: {}, verifiedOn: async () => assert.fail() };
    assert.deepEqual(await fetchVerifiedChains([one, knowing(1, 10), knowing(10, 5)], address), [1, 10, 5]);
    assert.deepEqual(
      await fetchVerifiedChains([failing(new Failure('notServed', 'x')), knowing(1)], address),
      [1],
    );
  });

  it('are not known where somebody fails', async () => {
    await assert.rejects(fetchVerifiedChains([failing(new Failure('server', 'x')), knowing(1)], address), {
      kind: 'server',
    });
  });
});
