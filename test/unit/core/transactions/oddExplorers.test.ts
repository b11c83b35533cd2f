import assert from 'node:assert/strict';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { isAppError } from '../../../../src/core/index.ts';
import { startLoopbackServer } from '../../../support/loopbackServer.ts';
import {
  addressOf,
  hashOf,
  requireTransaction,
  requireTransactionProvider,
} from '../../../support/transactions.ts';

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

async function withExplorer<T>(
  answer: Answer,
  task: (url: string, asked: readonly string[]) => Promise<T>,
): Promise<T> {
  const asked: string[] = [];
  const server = await startLoopbackServer((request: IncomingMessage, response: ServerResponse) => {
    const { pathname, search, searchParams } = new URL(request.url ?? '', 'http://explorer');
    asked.push(`${pathname}${search}`);
    const [status, body] = answer(pathname.replace('/api/v2/', ''), searchParams);
    const isText = typeof body === 'string';
    response.writeHead(status, { 'content-type': isText ? 'text/html' : 'application/json' });
    response.end(isText ? body : JSON.stringify(body));
  });
  try {
    return await task(`${server.url}/api/eth-rpc`, asked);
  } finally {
    await server.close();
  }
}

const isLogs = (path: string) => path.endsWith('/logs');
const withFacts =
  (more: object, logs: unknown = page(0, 0)): Answer =>
  (path) => [200, isLogs(path) ? logs : { ...facts, ...more }];
const transactionBy = (answer: Answer) =>
  withExplorer(answer, async (url) =>
    requireTransaction(await requireTransactionProvider('blockscout', url), HASH),
  );
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
    await withExplorer(answer, async (url, asked) => {
      const { logs, isCut } = await requireTransaction(
        await requireTransactionProvider('blockscout', url),
        HASH,
      );
      assert.deepEqual([logs?.length, logs?.at(-1)?.logIndex, isCut], [70, 69, false]);
      assert.match(asked.at(-1) ?? '', /\?index=49&block_number=16&items_count=50&none=null$/);
    });
  });

  it('stop where a server gives the first page again, and where it never ends, and say so', async () => {
    const again = withFacts({}, page(0, 50, { index: 49 }));
    assert.deepEqual((({ logs, isCut }) => [logs?.length, isCut])(await transactionBy(again)), [50, true]);
    const endless: Answer = (path, query) => {
      const from = Number(query.get('index') ?? '-1') + 1;
      return [200, isLogs(path) ? page(from, 50, { index: from + 49 }) : facts];
    };
    await withExplorer(endless, async (url, asked) => {
      const { logs, isCut } = await requireTransaction(
        await requireTransactionProvider('blockscout', url),
        HASH,
      );
      assert.deepEqual([logs?.length, isCut, asked.length], [1_000, true, 21]);
    });
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
    await rejects('badResponse', transactionBy(withFacts({ hash: hashOf(8) })));
    await rejects('badResponse', transactionBy(withFacts({ from: null })));
    await rejects('badResponse', transactionBy(withFacts({}, { items: 5 })));
    await rejects('badResponse', transactionBy(withFacts({}, page(0, 500))));
    const foreign = { items: [{ ...logAt(0), transaction_hash: hashOf(8) }], next_page_params: null };
    await rejects('badResponse', transactionBy(withFacts({}, foreign)));
  });

  it('are not served where the REST interface is off; a refusal and a redirect are told as such', async () => {
    await rejects(
      'notServed',
      transactionBy(() => [404, '<html>Page not found</html>']),
    );
    await rejects(
      'notServed',
      transactionBy(() => [400, { message: 'Unknown API v2 action' }]),
    );
    await rejects(
      'forbidden',
      transactionBy(() => [403, { message: 'Restricted access' }]),
    );
    await rejects(
      'redirected',
      transactionBy(() => [302, '']),
    );
    const unknown = await withExplorer(
      () => [404, { message: 'Not found' }],
      async (url) => (await requireTransactionProvider('blockscout', url)).lookUpHash(HASH),
    );
    assert.equal(unknown.kind, 'unknown');
  });
});
