import assert from 'node:assert/strict';
import { type FetchLike, isAppError, transactionToJson } from '../../../../src/core/index.ts';
import { answerEach, type RpcRequest } from '../../../support/loopbackServer.ts';
import {
  addressOf,
  hashOf,
  openTransactionProvider,
  requireTransaction,
} from '../../../support/transactions.ts';

const HASH = hashOf(7);
const sent = {
  ...{ hash: HASH, from: addressOf(1), to: addressOf(2), value: '0x5', input: '0x' },
  ...{
    gas: '0x7530',
    gasPrice: '0x2',
    nonce: '0x1',
    type: '0x2',
    blockNumber: '0x10',
    transactionIndex: '0x3',
  },
};
const receipt = {
  ...{
    transactionHash: HASH,
    blockNumber: '0x10',
    transactionIndex: '0x3',
    status: '0x1',
    gasUsed: '0x5208',
  },
  ...{ effectiveGasPrice: '0x2', contractAddress: null, logs: [] },
};
const failed = { ...receipt, status: '0x0' };

/** What a node answers by method; an `error` is one. */
type Answers = Readonly<Record<string, unknown>>;
const usual: Answers = {
  eth_getTransactionByHash: sent,
  eth_getTransactionReceipt: receipt,
  eth_getBlockByNumber: { timestamp: '0x65' },
};

const missing = { error: { code: -32601, message: 'the method does not exist/is not available' } };

/** Such a node; `sizes` has the calls of each request, `asked` the last parameters by method. */
function createNode(answers: Answers) {
  const sizes: number[] = [];
  const asked = new Map<string, readonly unknown[]>();
  const answer = ({ id, method, params }: RpcRequest) => {
    asked.set(method, params);
    const isProbe = params[0] === `0x${'0'.repeat(64)}`;
    const known = { ...usual, ...answers }[method] ?? missing;
    const isError = typeof known === 'object' && 'error' in known;
    const outcome = isError ? known : { result: isProbe || known === 'none' ? null : known };
    return { jsonrpc: '2.0', id, ...outcome };
  };
  const fetch: FetchLike = async (_url, { body = '', signal }) => {
    signal.throwIfAborted();
    const request = JSON.parse(body);
    sizes.push([request].flat().length);
    return Response.json(answerEach(answer)(request));
  };
  const find = (revoked?: AbortSignal) =>
    openTransactionProvider('calls', 'http://node.example', { fetch, ...(revoked && { revoked }) });
  const open = async (revoked?: AbortSignal) => (await find(revoked)) ?? assert.fail('It has no methods.');
  return { sizes, asked, find, open };
}

const transactionBy = async (answers: Answers) => requireTransaction(await createNode(answers).open(), HASH);
/** As JSON, with nothing known but the transaction. */
const jsonBy = async (answers: Answers) =>
  transactionToJson({
    ...{ transaction: await transactionBy(answers), call: [], attribution: undefined, logs: [], revert: [] },
    movements: { transfers: [], list: [], isCut: false },
    isWithoutCode: false,
    implementations: [],
  });
const failureBy = async (eth_call: unknown) =>
  (await transactionBy({ eth_getTransactionReceipt: failed, eth_call })).failure;
const rejects = (kind: 'badLogs' | 'badResponse' | 'rpc', asking: Promise<unknown>) =>
  assert.rejects(asking, (error) => isAppError(error, kind));

describe('transactions of a node', () => {
  it('take one request, and another for what hangs on them', async () => {
    const { sizes, open } = createNode({ eth_getTransactionReceipt: failed, eth_call: '0x' });
    const source = await open();
    await source.lookUpHash(HASH);
    // Whether the methods are there, transaction and receipt, time and replay.
    assert.deepEqual(sizes, [2, 2, 2]);
    const again = await source.lookUpHash(HASH);
    assert.deepEqual([again.kind, again.source.name, sizes.length], ['transaction', 'calls', 3]);
    await source.lookUpHash(HASH, { fresh: true });
    assert.equal(sizes.length, 5);
  });

  it('are not offered where one of the two methods is missing', async () => {
    for (const method of ['eth_getTransactionByHash', 'eth_getTransactionReceipt'])
      assert.equal(await createNode({ [method]: missing }).find(), undefined, method);
  });

  it('are asked for no more once the source is dropped', async () => {
    const { sizes, open } = createNode({});
    const revoked = new AbortController();
    const source = await open(revoked.signal);
    revoked.abort();
    await assert.rejects(source.lookUpHash(HASH), (error) => isAppError(error, 'aborted'));
    assert.equal(sizes.length, 1);
  });

  it('have a fee in the token that paid it', async () => {
    const cusd = '0x765de816845861e75a25fca122bb6898b8b1282a';
    const feeOf = async (transaction: object, more: object = {}) => {
      const answers = {
        eth_getTransactionByHash: { ...sent, ...transaction },
        eth_getTransactionReceipt: { ...receipt, ...more },
      };
      const { fee } = await transactionBy(answers);
      assert.ok(fee);
      return [fee.token, fee.total, fee.execution];
    };
    const paid = [cusd, 42_000n, 42_000n];
    const coin = [undefined, 42_000n, 42_000n];
    for (const type of ['0x7b', '0x7c', '0x0']) {
      assert.deepEqual(await feeOf({ type, feeCurrency: cusd }), paid, `type ${type}`);
      assert.deepEqual(await feeOf({ type, feeCurrency: null }), coin, `coin, type ${type}`);
    }
    assert.deepEqual(await feeOf({ type: '0x7b', feeCurrency: `0x${'0'.repeat(40)}` }), coin);
    const withGateway = { type: '0x7c', feeCurrency: cusd, gatewayFee: '0x3e8' };
    assert.deepEqual(await feeOf(withGateway), [cusd, 43_000n, 42_000n]);
    assert.deepEqual(await feeOf({ type: '0x7b', feeCurrency: cusd }, { l1Fee: '0x0' }), paid);
    // What is charged in the coin cannot be added.
    assert.deepEqual(await feeOf({ type: '0x7b', feeCurrency: cusd }, { l1Fee: '0x1' }), [
      cusd,
      undefined,
      42_000n,
    ]);
    // The price of CIP-66 is in the coin.
    assert.deepEqual(await feeOf({ type: '0x7a', feeCurrency: cusd }), [cusd, undefined, undefined]);
    // A server that knows only Ethereum.
    assert.deepEqual(await feeOf({ type: '0x7b' }), ['unknown', undefined, undefined]);
    assert.deepEqual(await feeOf({ type: '0x76' }), ['unknown', undefined, undefined]);
    // Tempo: a price in USD per 10^18 gas, and tokens with 6 decimals.
    const ofTempo = { feeToken: addressOf(9), effectiveGasPrice: '0x4a817c800' };
    assert.deepEqual(await feeOf({ type: '0x76' }, ofTempo), [addressOf(9), 420n, 420n]);
    assert.deepEqual(await feeOf({ type: '0x76' }, { ...ofTempo, effectiveGasPrice: '0x1' }), [
      addressOf(9),
      1n,
      1n,
    ]);
  });

  it('have JSON with the token of the fee', async () => {
    const feeOf = async (more: object) =>
      (await jsonBy({ eth_getTransactionByHash: { ...sent, type: '0x7b', ...more } })).fee;
    const amounts = { total: '42000', execution: '42000' };
    assert.deepEqual(await feeOf({ feeCurrency: addressOf(9) }), { ...amounts, token: addressOf(9) });
    assert.deepEqual(await feeOf({ feeCurrency: null }), amounts);
    assert.deepEqual(await feeOf({}), { total: null, execution: null, token: null });
  });

  it('have a fee of all its parts, and none that is guessed', async () => {
    const fee = async (more: object) =>
      (await transactionBy({ eth_getTransactionReceipt: { ...receipt, ...more } })).fee;
    const execution = 42_000n;
    const none = { l1: undefined, blobs: undefined };
    assert.deepEqual(await fee({}), { total: execution, execution, ...none });
    assert.deepEqual(await fee({ l1Fee: '0x64' }), { total: execution + 100n, execution, ...none, l1: 100n });
    const blobs = { blobGasUsed: '0x20000', blobGasPrice: '0x3' };
    assert.deepEqual((await fee(blobs))?.total, execution + 393_216n);
    // What an operator takes has another rule on each fork.
    assert.deepEqual(await fee({ operatorFeeConstant: '0x1' }), { total: undefined, execution, ...none });
    assert.deepEqual(await fee({ effectiveGasPrice: undefined }), {
      total: undefined,
      execution: undefined,
      ...none,
    });
  });

  it('before London paid what they offered, before Byzantium had no status', async () => {
    const { status, fee } = await transactionBy({
      eth_getTransactionByHash: { ...sent, type: undefined },
      eth_getTransactionReceipt: { ...receipt, status: undefined, root: HASH, effectiveGasPrice: undefined },
    });
    assert.deepEqual([status, fee?.total], ['unknown', 42_000n]);
  });

  it('are told by what is there, where a node has no receipt or no header', async () => {
    const { status, logs, time, block } = await transactionBy({
      eth_getTransactionReceipt: { error: { code: -32000, message: 'transaction indexing is in progress' } },
      eth_getBlockByNumber: missing,
    }).catch((error: unknown) => assert.fail(String(error)));
    assert.deepEqual([status, logs, time, block], ['unknown', undefined, undefined, 16n]);
  });

  it('have logs that nobody knows where the receipt has none of a list', async () => {
    for (const logs of [null, undefined]) {
      const read = await transactionBy({ eth_getTransactionReceipt: { ...receipt, logs } });
      assert.deepEqual([read.status, read.logs], ['success', undefined]);
    }
  });

  it('have no contract in JSON that a failed one did not make', async () => {
    const made = { ...receipt, contractAddress: addressOf(9) };
    const createdBy = async (answer: object) => {
      const more = { eth_getTransactionByHash: { ...sent, to: null }, eth_call: '0x' };
      return (await jsonBy({ ...more, eth_getTransactionReceipt: answer })).created;
    };
    assert.deepEqual(await createdBy(made), [addressOf(9)]);
    assert.deepEqual(await createdBy({ ...made, status: '0x0' }), []);
  });

  it('have the data of a revert in every form that servers send it', async () => {
    const data = '0x4e487b71';
    for (const [form, sentData] of [
      ['geth', data],
      ['OpenEthereum', `Reverted ${data}`],
      ['Hardhat', { message: 'reverted', data }],
      ['a result', { result: data }],
    ] as const) {
      const failure = await failureBy({ error: { code: 3, message: 'execution reverted', data: sentData } });
      assert.deepEqual(
        failure,
        { state: 'told', by: 'replay', data, isCut: false, message: 'execution reverted' },
        form,
      );
    }
    const wordsAlone = await failureBy({ error: { code: -32000, message: 'execution reverted: not yours' } });
    assert.equal(wordsAlone?.state === 'told' && wordsAlone.data, undefined);
    const long = await failureBy({
      error: { code: 3, message: 'reverted', data: `0x${'ab'.repeat(5_000)}` },
    });
    assert.equal(long?.state === 'told' && long.isCut, true);
    assert.equal(long?.state === 'told' && (long.data?.length ?? 1) % 2, 0);
  });

  it('are pending where an explorer has a receipt with nothing in it', async () => {
    const nothing = { blockNumber: null, transactionIndex: null, gasUsed: null, status: null, logs: [] };
    const { status, logs, fee } = await transactionBy({
      eth_getTransactionByHash: { ...sent, blockNumber: null, transactionIndex: null },
      eth_getTransactionReceipt: { ...receipt, ...nothing },
    });
    assert.deepEqual([status, logs, fee], ['pending', [], undefined]);
  });

  it('say why nobody knows why', async () => {
    assert.deepEqual(await failureBy('0x'), { state: 'passed' });
    assert.deepEqual(await failureBy(missing), { state: 'notOffered' });
    const words = 'missing trie node';
    assert.deepEqual(await failureBy({ error: { code: -32000, message: words } }), {
      state: 'refused',
      message: words,
    });
  });

  it('are run again on the block before, with their gas and authorisations', async () => {
    const authorizationList = [{ address: addressOf(9), chainId: '0x1', nonce: '0x0' }];
    const { asked, open } = createNode({
      eth_getTransactionByHash: { ...sent, type: '0x4', authorizationList },
      ...{ eth_getTransactionReceipt: failed, eth_call: '0x' },
    });
    assert.equal((await requireTransaction(await open(), HASH)).authorizations, 1);
    const { from, to, value, gas } = sent;
    const replay = [{ from, to, data: '0x', value, gas, authorizationList }, '0xf'];
    assert.deepEqual(asked.get('eth_call'), replay);
  });

  it('have the only call of a list, as Tempo sends it, and no call of several', async () => {
    const { to: _, input: __, value: ___, ...rest } = sent;
    const callTo = (number: number) => ({ to: addressOf(number), value: '0x1', input: '0xa9059cbb' });
    const factsOf = async (calls: readonly object[]) => {
      const answers = { eth_getTransactionByHash: { ...rest, type: '0x76', calls } };
      const { to, input, value } = await transactionBy(answers);
      return [to, input, value];
    };
    assert.deepEqual(await factsOf([callTo(7)]), [addressOf(7), '0xa9059cbb', 1n]);
    assert.deepEqual(await factsOf([callTo(7), callTo(8)]), [undefined, '0x', 2n]);
    await rejects('badResponse', factsOf([callTo(7), { to: addressOf(8) }]));
    await rejects('badResponse', factsOf([]));
    const ofSeveral = { ...rest, type: '0x76', calls: [callTo(7), callTo(8)] };
    const { failure } = await transactionBy({
      ...{ eth_getTransactionByHash: ofSeveral, eth_getTransactionReceipt: failed, eth_call: '0x' },
    });
    assert.equal(failure?.state, 'notOffered');
  });

  it('of another hash, or broken, are refused', async () => {
    for (const [kind, answers] of [
      ['badResponse', { eth_getTransactionByHash: { ...sent, hash: hashOf(8) } }],
      ['badResponse', { eth_getTransactionByHash: [sent] }],
      ['badResponse', { eth_getTransactionByHash: { ...sent, from: 'me' } }],
      ['badResponse', { eth_getTransactionReceipt: { ...receipt, transactionHash: hashOf(8) } }],
      ['badLogs', { eth_getTransactionReceipt: { ...receipt, logs: [{ data: 'x' }] } }],
      ['rpc', { eth_getTransactionByHash: { error: { code: -32000, message: 'busy' } } }],
    ] as const)
      await rejects(kind, transactionBy(answers));
  });

  it('that are said not to be found are unknown, and no block of another hash is taken for theirs', async () => {
    const notFound = { error: { code: -32000, message: 'transaction not found' } };
    const block = { hash: hashOf(8), number: '0x1', timestamp: '0x1' };
    for (const [kind, transaction, found] of [
      ['unknown', notFound, block],
      ['unknown', 'none', missing],
      ['block', 'none', { ...block, hash: HASH }],
    ] as const) {
      const answers = { eth_getTransactionByHash: transaction, eth_getBlockByHash: found };
      const source = await createNode({ eth_getTransactionReceipt: 'none', ...answers }).open();
      assert.equal((await source.lookUpHash(HASH)).kind, kind);
    }
  });
});
