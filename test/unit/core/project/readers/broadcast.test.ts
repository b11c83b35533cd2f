import assert from 'node:assert/strict';
import { parseLayout } from '../../../../../src/core/project/layout.ts';
import { classifyFile } from '../../../../../src/core/project/readers/fileKind.ts';
import { pick } from '../../../../support/pick.ts';
import { address, hash, readFacts } from '../../../../support/projectFacts.ts';

const PATH = 'broadcast/Deploy.s.sol/31337/run-latest.json';
const layout = parseLayout({ foundryToml: '' });
const deploymentsIn = (json: unknown) =>
  readFacts({ path: PATH, text: JSON.stringify(json, undefined, 2) }, layout).deployments;

const creation = (digit: string, more: object = {}) => ({
  hash: hash(digit),
  transactionType: 'CREATE',
  contractName: `Token${digit}`,
  contractAddress: address(digit).toUpperCase().replace('0X', '0x'),
  function: null,
  arguments: ['"quoted" } ] ,'],
  transaction: { type: '0x02', input: '0x6080', nonce: '0x0', accessList: [{ address: address('e') }] },
  additionalContracts: [] as object[],
  isFixedGasLimit: false,
  ...more,
});

const receipt = (digit: string, more: object = {}) => ({
  transactionHash: hash(digit),
  blockNumber: '0x10',
  contractAddress: address(digit),
  logs: [{ address: address('d'), topics: [hash('d')], data: '0x' }],
  status: '0x1',
  ...more,
});

const run = (transactions: readonly object[], receipts: readonly object[], more: object = {}) => ({
  transactions,
  receipts,
  libraries: [] as string[],
  pending: [],
  returns: {},
  timestamp: 1685438820,
  chain: 31337,
  multi: false,
  commit: 'abc1234',
  ...more,
});

const names = (json: unknown) => deploymentsIn(json).map(({ contract, address: at }) => [contract, at]);

describe('broadcast of Foundry', () => {
  it('tells what was created, where, when and from which commit', () => {
    const facts = { contract: 'Tokena', block: 16n, transaction: hash('a'), commit: 'abc1234' };
    const expected = { chainId: '31337', address: address('a'), ...facts, time: 1_685_438_820_000 };
    assert.deepEqual(deploymentsIn(run([creation('a')], [receipt('a')])), [expected]);
  });

  it('tells the time in seconds or milliseconds, else that in the name of the file', () => {
    const time = (path: string, timestamp: unknown) => {
      const text = JSON.stringify(run([creation('a')], [receipt('a')], { timestamp }));
      return readFacts({ path, text }, layout).deployments[0]?.time;
    };
    assert.equal(time(PATH, 1795948161687), 1795948161687);
    assert.equal(time(PATH, undefined), undefined);
    assert.equal(time(PATH, 'soon'), undefined);
    assert.equal(time('broadcast/Deploy.s.sol/31337/run-1685438820.json', undefined), 1685438820000);
  });

  it('leaves out what failed, is pending or is a call', () => {
    const call = creation('c', { transactionType: 'CALL' });
    const transactions = [creation('a'), creation('b'), call, creation('f', { contractAddress: null })];
    const receipts = [receipt('a', { status: '0x0' }), receipt('c'), receipt('f')];
    assert.deepEqual(names(run(transactions, receipts)), []);
  });

  it('has contracts that a transaction created beside its own, of a call too', () => {
    const more = [
      {
        transactionType: 'CREATE2',
        contractName: 'src/Pool.sol:Pool',
        address: address('b'),
        initCode: '0x60',
      },
      { transactionType: 'CALL', contractName: 'Not', address: address('c'), initCode: '0x' },
      { transactionType: 'CREATE', contractName: null, address: address('d'), initCode: '0x' },
    ];
    const factory = creation('a', { transactionType: 'CALL', additionalContracts: more });
    assert.deepEqual(names(run([factory], [receipt('a', { contractAddress: null })])), [
      ['Pool', address('b')],
      [undefined, address('d')],
    ]);
  });

  it('names a library by the list of libraries, which older releases leave without a name', () => {
    const library = creation('a', { contractName: null });
    const libraries = [`src/Lib.sol:Lib:${address('a')}`, `src/Old.sol:Old:${address('b')}`, 'x:y', 'z', 3];
    assert.deepEqual(names(run([library], [receipt('a')], { libraries })), [
      ['Lib', address('a')],
      ['Old', address('b')],
    ]);
    assert.deepEqual(names(run([library], [], { libraries: libraries.slice(0, 1) })), [], 'not yet mined');
  });

  it('has one entry for each address, the latest', () => {
    const [first, second] = [creation('a'), creation('b', { contractAddress: address('a') })];
    const again = receipt('b', { blockNumber: 17, contractAddress: address('a') });
    const found = deploymentsIn(run([first, second], [receipt('a'), again]));
    assert.deepEqual(pick(found, 'contract', 'block'), [['Tokenb', 17n]]);
  });

  it('finds the receipt by the address where a transaction has no hash', () => {
    const found = deploymentsIn(run([creation('a', { hash: null })], [receipt('a')], { commit: null }));
    assert.deepEqual(pick(found, 'transaction', 'block', 'commit'), [[hash('a'), 16n, undefined]]);
  });

  describe('where hash and receipt are mixed up', () => {
    const call = (digit: string, more: object = {}) =>
      creation(digit, { transactionType: 'CALL', contractAddress: address('e'), ...more });
    const called = (digit: string, more: object = {}) =>
      receipt(digit, { contractAddress: null, to: address('e'), ...more });
    const places = (json: unknown) =>
      deploymentsIn(json).map(({ contract, block, transaction }) => [contract, block, transaction]);
    const created = receipt('b', { blockNumber: '0x2', contractAddress: address('a') });

    it('takes the receipt that names the contract', () => {
      const receipts = [called('a', { blockNumber: '0x3' }), created];
      assert.deepEqual(places(run([creation('a'), call('b')], receipts)), [['Tokena', 2n, hash('b')]]);
    });

    it('guesses no block where no receipt names the contract', () => {
      const other = receipt('a', { contractAddress: address('f') });
      assert.deepEqual(places(run([creation('a')], [other])), [['Tokena', undefined, undefined]]);
      assert.deepEqual(places(run([creation('a')], [called('a')])), [['Tokena', undefined, undefined]]);
    });

    it('trusts no other pair of the same run', () => {
      const child = { transactionType: 'CREATE2', contractName: 'Child', address: address('c') };
      const factory = call('d', { additionalContracts: [child] });
      const receipts = [called('a'), created, called('d', { blockNumber: '0x4' })];
      assert.deepEqual(places(run([creation('a'), call('b'), factory], receipts)), [
        ['Tokena', 2n, hash('b')],
        ['Child', undefined, undefined],
      ]);
      assert.deepEqual(places(run([factory], receipts)), [['Child', 4n, hash('d')]]);
    });

    it('guesses no block where sender or recipient differ', () => {
      const from = address('1');
      const to = address('e');
      const salted = creation('a', { transactionType: 'CREATE2', transaction: { from, to } });
      const block = (more: object) => places(run([salted], [called('a', more)])).map((each) => each[1]);
      assert.deepEqual(block({ from }), [16n]);
      assert.deepEqual(block({ from: address('2') }), [undefined]);
      assert.deepEqual(block({ to: address('f') }), [undefined]);
    });
  });

  it('reads runs over several chains', () => {
    const deployments = [
      run([creation('a')], [receipt('a')], { chain: 1 }),
      run([creation('a')], [receipt('a')], { chain: 10 }),
    ];
    const text = JSON.stringify({ deployments, timestamp: 1 });
    const path = 'broadcast/multi/Deploy.s.sol-latest/run.json';
    const found = readFacts({ path, text }, layout).deployments;
    assert.deepEqual(pick(found, 'chainId'), ['1', '10']);
  });

  it('takes the chain of the folder where an older release wrote none', () => {
    const old = run([creation('a')], [receipt('a')], { chain: undefined });
    assert.deepEqual(pick(deploymentsIn(old), 'chainId'), ['31337']);
    const file = { path: 'broadcast/a/run-latest.json', text: JSON.stringify(old) };
    assert.deepEqual(readFacts(file, layout).deployments, []);
  });

  it('is known by what is in it where its folder is not', () => {
    const text = JSON.stringify(run([creation('a')], [receipt('a')]));
    const file = { path: 'packages/a/broadcast/D.s.sol/31337/run-latest.json', text };
    assert.equal(readFacts(file, layout).deployments[0]?.contract, 'Tokena');
    assert.equal(
      classifyFile('packages/a/broadcast/D.s.sol/31337/dry-run/run-latest.json', layout),
      undefined,
    );
  });

  it('takes no run without a chain, and no dry run', () => {
    assert.deepEqual(names(run([creation('a')], [receipt('a')], { chain: 0.5 })), []);
    assert.equal(classifyFile('broadcast/Deploy.s.sol/1/dry-run/run-latest.json', layout), undefined);
    assert.equal(classifyFile('broadcast/Deploy.s.sol/1/run-1685438820.json', layout), 'broadcast');
  });

  it('is an error in one line where it is cut off', () => {
    const text = JSON.stringify(run([creation('a')], [receipt('a')]));
    for (const length of [0, 1, 60, 700, text.length - 1]) {
      assert.throws(() => readFacts({ path: PATH, text: text.slice(0, length) }, layout), {
        kind: 'badInput',
        message: /^It is not valid JSON, at character \d+\.$/,
      });
    }
  });

  it('takes wrong types for nothing', () => {
    assert.deepEqual(names({ transactions: 3, receipts: {}, chain: [] }), []);
    assert.deepEqual(names(run([[] as object], [[] as object])), []);
    assert.deepEqual(
      names(run([creation('a', { contractName: 7, additionalContracts: [3, null] })], [receipt('a')])),
      [[undefined, address('a')]],
    );
  });
});
