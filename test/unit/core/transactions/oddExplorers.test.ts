import assert from 'node:assert/strict';
import { isAppError } from '../../../../src/core/index.ts';
import { scriptedFetch } from '../../../support/fakeFetch.ts';
import {
  addressOf,
  hashOf,
  requireTransaction,
  requireTransactionProvider,
} from '../../../support/transactions.ts';

const ORIGIN = 'https://explorer.example';
const HASH = hashOf(7);
const facts = {
  ...{
    hash: HASH,
    status: 'ok',
    result: 'success',
    block_number: 16,
    position: 3,
    timestamp: '2026-11-01T00:00:00.000000Z',
  },
  ...{ from: { hash: addressOf(1) }, to: { hash: addressOf(2) }, created_contract: null, value: '5' },
  ...{ fee: { type: 'actual', value: '42000' }, gas_price: '2', gas_used: '21000', gas_limit: '30000' },
  ...{ nonce: 1, type: 2, raw_input: '0x', revert_reason: null, authorization_list: [] },
};
const logAt = (index: number) => ({
  ...{ address: { hash: addressOf(3) }, topics: [hashOf(1), null, null, null], data: '0x', index },
  ...{ transaction_hash: HASH },
});
const page = (first: number, count: number, next: object | null = null) => ({
  items: Array.from({ length: count }, (_, place) => logAt(first + place)),
  next_page_params: next,
});

/** What an explorer answers below `/api/v2/`: a status and a body. */
type Answer = (path: string, query: URLSearchParams) => readonly [status: number, body: unknown];

/** An explorer with these answers, and what it was asked. */
async function openExplorer(answer: Answer) {
  const { fetch, asked } = scriptedFetch((path, { searchParams }) => {
    const [status, body] = answer(path.replace('/api/v2/', ''), searchParams);
    return typeof body === 'string' ? new Response(body, { status }) : Response.json(body, { status });
  });
  const { lookUpHash } = await requireTransactionProvider('blockscout', `${ORIGIN}/api/eth-rpc`, { fetch });
  return { asked, lookUpHash };
}

const isLogs = (path: string) => path.endsWith('/logs');
const withFacts =
  (more: object, logs: unknown = page(0, 0)): Answer =>
  (path) => [200, isLogs(path) ? logs : { ...facts, ...more }];
const transactionBy = async (answer: Answer) => requireTransaction(await openExplorer(answer), HASH);
const failureBy = async (more: object) =>
  (await transactionBy(withFacts({ status: 'error', result: 'Reverted', ...more }))).failure;
const rejects = (kind: 'badResponse' | 'forbidden' | 'notServed' | 'redirected', asking: Promise<unknown>) =>
  assert.rejects(asking, (error) => isAppError(error, kind) && error.details.provider?.name === 'blockscout');

describe('transactions of an explorer', () => {
  it('have their logs page by page, with the cursor as it came', async () => {
    const answer: Answer = (path, query) => {
      if (!isLogs(path)) return [200, facts];
      if (query.get('index') === '49') return [200, page(50, 20)];
      return [200, page(0, 50, { index: 49, block_number: 16, items_count: 50, none: null })];
    };
    const explorer = await openExplorer(answer);
    const { logs, isCut } = await requireTransaction(explorer, HASH);
    assert.deepEqual([logs?.length, logs?.at(-1)?.logIndex, isCut], [70, 69, false]);
    assert.match(explorer.asked.at(-1) ?? '', /\?index=49&block_number=16&items_count=50&none=null$/);
  });

  it('stop where a server gives the first page again, and where it never ends, and say so', async () => {
    const again = withFacts({}, page(0, 50, { index: 49 }));
    assert.deepEqual((({ logs, isCut }) => [logs?.length, isCut])(await transactionBy(again)), [50, true]);
    const endless: Answer = (path, query) => {
      const from = Number(query.get('index') ?? '-1') + 1;
      return [200, isLogs(path) ? page(from, 50, { index: from + 49 }) : facts];
    };
    const explorer = await openExplorer(endless);
    const { logs, isCut } = await requireTransaction(explorer, HASH);
    assert.deepEqual([logs?.length, isCut, explorer.asked.length], [1_000, true, 21]);
  });

  it('that were dropped are neither pending nor failed', async () => {
    const { status, failure } = await transactionBy(
      withFacts({ status: 'error', result: 'dropped/replaced', block_number: null, timestamp: null }),
    );
    assert.deepEqual([status, failure], ['unknown', undefined]);
  });

  it('have the parts of a fee that a rollup tells', async () => {
    const { fee } = await transactionBy(
      withFacts({ l1_fee: '100', fee: { type: 'actual', value: '42100' } }),
    );
    assert.deepEqual(fee, { total: 42_100n, execution: 42_000n, l1: 100n, blobs: undefined });
    const scroll = await transactionBy(withFacts({ scroll: { l1_fee: '7' } }));
    assert.equal(scroll.fee?.l1, 7n);
    const unknown = await transactionBy(withFacts({ fee: { type: 'actual', value: null } }));
    assert.equal(unknown.fee?.total, undefined);
  });

  it('have a fee in the token that paid it', async () => {
    const token = addressOf(9);
    const feeOf = async (more: object) => {
      const paid = { type: 123, fee: { type: 'actual', value: '42000' } };
      const { fee } = await transactionBy(withFacts({ ...paid, ...more }));
      assert.ok(fee);
      return [fee.token, fee.total];
    };
    for (const gas_token of [{ address_hash: token }, { address: token, symbol: 'cUSD' }]) {
      assert.deepEqual(await feeOf({ celo: { gas_token } }), [token, 42_000n]);
    }
    assert.deepEqual(await feeOf({ celo: { gas_token: null } }), [undefined, 42_000n]);
    // Explorers that know nothing of Celo.
    assert.deepEqual(await feeOf({}), ['unknown', undefined]);
    assert.deepEqual(await feeOf({ type: 2 }), [undefined, 42_000n]);
  });

  it('have the data of a revert that was decoded, made again', async () => {
    const told = { state: 'told', by: 'explorer' };
    const decoded = {
      method_id: 'cf479181',
      method_call: 'InsufficientBalance(uint256 available, uint256 required)',
      parameters: [
        { name: 'available', type: 'uint256', value: '3' },
        { name: 'required', type: 'uint256', value: '5' },
      ],
    };
    const data = `0xcf479181${'3'.padStart(64, '0')}${'5'.padStart(64, '0')}`;
    assert.deepEqual(await failureBy({ revert_reason: decoded }), {
      ...told,
      isCut: false,
      data,
      message: 'Reverted',
    });
    const broken = { ...decoded, parameters: [{ value: 'x' }, { value: '5' }] };
    assert.deepEqual(await failureBy({ revert_reason: broken }), {
      ...{ ...told, isCut: true, data: '0xcf479181', message: decoded.method_call },
    });
    const raw = (await failureBy({ revert_reason: { raw: 'not enough' } })) ?? assert.fail();
    assert.deepEqual(raw, { ...told, isCut: false, data: undefined, message: 'not enough' });
    const bare = (await failureBy({ revert_reason: '0x4e487b71' })) ?? assert.fail();
    assert.equal(bare.state === 'told' && bare.data, '0x4e487b71');
    const none = await failureBy({ revert_reason: null, result: 'out of gas' });
    assert.deepEqual(none, { ...told, isCut: false, data: undefined, message: 'out of gas' });
  });

  it('of another hash, or broken, are refused', async () => {
    const foreign = { items: [{ ...logAt(0), transaction_hash: hashOf(8) }], next_page_params: null };
    for (const answer of [
      withFacts({ hash: hashOf(8) }),
      withFacts({ from: null }),
      ...[{ items: 5 }, page(0, 500), foreign].map((logs) => withFacts({}, logs)),
    ])
      await rejects('badResponse', transactionBy(answer));
  });

  it('are not served where the REST interface is off; a refusal and a redirect are told as such', async () => {
    for (const [kind, status, body] of [
      ['notServed', 404, '<html>Page not found</html>'],
      ['notServed', 400, { message: 'Unknown API v2 action' }],
      ['forbidden', 403, { message: 'Restricted access' }],
      ['redirected', 302, ''],
    ] as const)
      await rejects(
        kind,
        transactionBy(() => [status, body]),
      );
    const unknown = await openExplorer(() => [404, { message: 'Not found' }]);
    assert.equal((await unknown.lookUpHash(HASH)).kind, 'unknown');
  });
});
