import assert from 'node:assert/strict';
import type { Hex } from 'ox';
import { sendTransactionKinds, type TransactionKinds } from '../../../localnet/chain/transactionKinds.ts';
import type { DialectName } from '../../../localnet/explorer/dialects.ts';
import { type Localnet, startLocalnet } from '../../../localnet/start.ts';
import { requireTransaction, requireTransactionProvider } from '../../support/transactionSources.ts';

type Body = Readonly<Record<string, unknown>> & {
  readonly items: readonly Readonly<Record<string, unknown>>[];
  readonly next_page_params: Readonly<Record<string, number>> | null;
};

describe('transactions by the REST interface of the local explorer', () => {
  let localnet: Localnet;
  let kinds: TransactionKinds;
  /** One with 250 transfers. */
  let dense: Hex.Hex;

  before(async () => {
    localnet = await startLocalnet();
    kinds = await sendTransactionKinds(localnet.node);
    await localnet.catchUp();
    const counts = new Map<Hex.Hex, number>();
    for (const { transactionHash } of localnet.index.logs({ from: 0, to: localnet.index.head() ?? 0 })) {
      counts.set(transactionHash, (counts.get(transactionHash) ?? 0) + 1);
    }
    [dense] = [...counts].find(([, count]) => count === 250) ?? assert.fail('No transaction has 250 logs.');
  });
  after(() => localnet.stop());

  async function get(
    dialect: DialectName,
    path: string,
  ): Promise<{ readonly status: number; readonly body: Body }> {
    localnet.setDialect(dialect);
    const response = await fetch(`${localnet.explorer.origin}/api/v2/${path}`);
    return { status: response.status, body: (await response.json()) as Body };
  }

  it('have the names of their release', async () => {
    const old = await get('v5.1.4', `transactions/${kinds.paid}`);
    assert.deepEqual(
      [typeof old.body.block, old.body.block_number, old.body.tx_types],
      ['number', undefined, ['contract_call']],
    );
    const now = await get('v11.2', `transactions/${kinds.paid}`);
    assert.deepEqual([now.body.block, now.body.authorization_list], [undefined, []]);
    const [oldLog] = (await get('v5.1.4', `transactions/${kinds.paid}/logs`)).body.items;
    assert.deepEqual([oldLog?.tx_hash, oldLog?.block_number], [kinds.paid, undefined]);
    const [log] = (await get('v11.2', `transactions/${kinds.paid}/logs`)).body.items;
    assert.equal(log?.transaction_hash, kinds.paid);
    assert.deepEqual(Array.isArray(log.topics) && log.topics.slice(2), [null, null]);
  });

  it('come in pages of 50, of which v12 lets the asker choose the size', async () => {
    const sizes = async (dialect: DialectName, query = '') => {
      const { items, next_page_params: next } = (await get(dialect, `transactions/${dense}/logs${query}`))
        .body;
      return [items.length, next?.items_count];
    };
    assert.deepEqual(await sizes('v9.1'), [50, 50]);
    assert.deepEqual(await sizes('v9.1', '?items_count=80'), [50, 50]);
    assert.deepEqual(await sizes('v12', '?items_count=80'), [80, undefined]);
    assert.deepEqual(await sizes('v12', '?items_count=800'), [100, undefined]);
    const { items } = (await get('v11.2', `transactions/${dense}/token-transfers`)).body;
    const types = items.map(({ token }) => (token as { readonly type: string }).type);
    assert.deepEqual([items.length, new Set(types)], [50, new Set(['ERC-20'])]);
  });

  it('are read whole, page after page, in each era', async () => {
    for (const dialect of ['v5.1.4', 'v9.1', 'v11.2', 'v12'] as const) {
      localnet.setDialect(dialect);
      const source = await requireTransactionProvider('blockscout', localnet.rpcUrl);
      const { logs, isCut } = await requireTransaction(source, dense);
      assert.deepEqual([logs?.length, isCut], [250, false], dialect);
    }
  });

  it('that there are not are 404, and what is no hash 422 in the words of the release', async () => {
    const none = await get('v11.2', `transactions/0x${'12'.repeat(32)}`);
    assert.deepEqual([none.status, none.body], [404, { message: 'Not found' }]);
    const old = await get('v5.1.4', 'transactions/0x12');
    assert.deepEqual([old.status, old.body], [422, { message: 'Invalid parameter(s)' }]);
    const now = await get('v11.2', 'transactions/0x12');
    assert.deepEqual([now.status, Array.isArray(now.body.errors)], [422, true]);
  });
});
