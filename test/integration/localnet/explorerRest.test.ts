import assert from 'node:assert/strict';
import type { Hex } from 'ox';
import { sendTransactionKinds, type TransactionKinds } from '../../../localnet/chain/transactionKinds.ts';
import type { DialectName } from '../../../localnet/explorer/dialects.ts';
import {
  type GrowingLocalnet,
  growingLocalnet,
  type SharedLocalnet,
  sharedLocalnet,
} from '../../support/sharedLocalnet.ts';
import { requireTransaction, requireTransactionProvider } from '../../support/transactions.ts';

const zero = `0x${'0'.repeat(40)}`;

interface Page {
  readonly items: readonly Record<string, unknown>[];
  readonly next_page_params: Record<string, unknown> | null;
}

/** The server alone, as its documentation has it: what the client makes of it is tested elsewhere. */
describe('the REST interface of the local explorer', () => {
  let localnet: SharedLocalnet;
  let alice: Hex.Hex;

  before(async () => {
    localnet = await sharedLocalnet();
    alice = localnet.chain.accounts.alice.toLowerCase() as Hex.Hex;
  });
  beforeEach(() => localnet.explorer.setRest({}));

  async function get(path: string, headers: Readonly<Record<string, string>> = {}) {
    const response = await fetch(`${localnet.explorer.origin}/api/v2${path}`, { headers });
    return { status: response.status, body: (await response.json()) as never };
  }
  async function page(path: string): Promise<Page> {
    const { status, body } = await get(path);
    assert.equal(status, 200, JSON.stringify(body));
    return body;
  }
  const speak = (name: DialectName) => localnet.setDialect(name);
  const query = (members: Readonly<Record<string, unknown>>) =>
    Object.entries(members)
      .map(([name, value]) => `${name}=${value}`)
      .join('&');

  it('names things as the release does', async () => {
    const keysOf = async (name: DialectName) => {
      speak(name);
      const { body } = await get(`/addresses/${alice}/token-balances`);
      const transfers = await page(`/addresses/${alice}/token-transfers`);
      const [{ token }] = body as [{ token: object }];
      return [...Object.keys(token), ...Object.keys(transfers.items[0] ?? {})];
    };
    const old = await keysOf('v5.1.4');
    assert.ok(old.includes('address') && old.includes('holders') && old.includes('tx_hash'));
    assert.ok(!old.includes('address_hash') && !old.includes('reputation'));
    const later = await keysOf('v9.1');
    assert.ok(later.includes('address_hash') && later.includes('transaction_hash'));
    assert.ok(!later.includes('reputation') && (await keysOf('v10.2')).includes('reputation'));
  });

  it('has a cursor without the filters, with members that are null', async () => {
    localnet.explorer.setRest({ crowd: { holder: alice, count: 60 } });
    speak('v11.2');
    const first = await page(`/addresses/${alice}/tokens?type=ERC-20`);
    assert.equal(first.items.length, 50);
    assert.deepEqual(Object.keys(first.next_page_params ?? {}).sort(), [
      'fiat_value',
      'id',
      'items_count',
      'value',
    ]);
    assert.equal(first.next_page_params?.fiat_value, null);
    const second = await page(
      `/addresses/${alice}/tokens?type=ERC-20&${query(first.next_page_params ?? {})}`,
    );
    assert.deepEqual([second.items.length, second.next_page_params], [12, null]);
  });

  for (const name of ['v5.1.4', 'v9.1'] as const) {
    it(`gives page 1 again, without a word, to a cursor that lacks a member: ${name}`, async () => {
      localnet.explorer.setRest({ crowd: { holder: alice, count: 60 } });
      speak(name);
      const first = await page(`/addresses/${alice}/tokens`);
      const { id: _, ...rest } = first.next_page_params ?? {};
      assert.deepEqual((await page(`/addresses/${alice}/tokens?${query(rest)}`)).items, first.items);
      assert.equal((await get(`/addresses/${alice}/tokens?unheard=of`)).status, 200);
    });
  }

  for (const name of ['v10.2', 'v12'] as const) {
    it(`refuses what it does not know: ${name}`, async () => {
      speak(name);
      const { status, body } = await get(`/addresses/${alice}/tokens?unheard=of`);
      assert.equal(status, 422);
      assert.deepEqual(body, {
        errors: [
          { title: 'Invalid value', source: { pointer: '/unheard' }, detail: 'Unexpected field: unheard' },
        ],
      });
      assert.equal((await get('/addresses/0x12/tokens')).status, 422);
    });
  }

  it('takes the size of a page from v12 on, up to a hundred, and does not give it back', async () => {
    localnet.explorer.setRest({ crowd: { holder: alice, count: 150 } });
    const sizes = async () => {
      const pages = await Promise.all(
        [7, 1000].map((size) => page(`/addresses/${alice}/tokens?items_count=${size}`)),
      );
      return pages.map(({ items, next_page_params: next }) => [items.length, next && 'items_count' in next]);
    };
    speak('v11.2');
    assert.deepEqual(await sizes(), [
      [50, true],
      [50, true],
    ]);
    speak('v12');
    assert.deepEqual(await sizes(), [
      [7, false],
      [100, false],
    ]);
    assert.equal((await get(`/addresses/${alice}/tokens?items_count=0`)).status, 422);
  });

  it('ends a page inside of a batch, and goes on there', async () => {
    speak('v11.2');
    const first = await page(`/addresses/${zero}/token-transfers?type=ERC-1155`);
    const members = ['batch_block_hash', 'batch_log_index', 'batch_transaction_hash', 'index_in_batch'];
    assert.ok(members.every((name) => name in (first.next_page_params ?? {})));
    const second = await page(
      `/addresses/${zero}/token-transfers?type=ERC-1155&${query(first.next_page_params ?? {})}`,
    );
    const [last, next] = [first.items.at(-1), second.items[0]];
    assert.equal(last?.transaction_hash, next?.transaction_hash);
    assert.equal(last?.log_index, next?.log_index);
    assert.deepEqual([first.items.length, second.items.length], [50, 3]);
  });

  it('hides what it calls scam, but for who asks by cookie, and since v10 by header', async () => {
    const tide = localnet.chain.contracts.tide.address.toLowerCase() as Hex.Hex;
    localnet.explorer.setRest({ scam: [tide], hidesScam: 'unlessAsked' });
    const lists = async (headers: Readonly<Record<string, string>>) => {
      const { body } = await get(`/addresses/${alice}/token-balances`, headers);
      return JSON.stringify(body).toLowerCase().includes(tide);
    };
    for (const name of ['v9.1', 'v11.2'] as const) {
      speak(name);
      assert.deepEqual(
        [await lists({}), await lists({ cookie: 'a=b; show_scam_tokens=true' })],
        [false, true],
      );
    }
    assert.equal(await lists({ 'show-scam-tokens': 'true' }), true);
    speak('v9.1');
    assert.equal(await lists({ 'show-scam-tokens': 'true' }), false);
  });

  it('tells nothing where it may not, is switched off, or has never met the address', async () => {
    const nobody = `0x${'7e57'.repeat(10)}`;
    speak('v5.1.4');
    assert.deepEqual(await get(`/addresses/${nobody}/token-balances`), {
      status: 404,
      body: { message: 'Not found' },
    });
    speak('v11.2');
    assert.deepEqual(await get(`/addresses/${nobody}/token-balances`), { status: 200, body: [] });
    localnet.explorer.setRest({ restricted: [alice] });
    assert.deepEqual(await get(`/addresses/${alice}/token-balances`), {
      status: 403,
      body: { message: 'Restricted access' },
    });
    localnet.explorer.setRest({ off: true });
    assert.equal((await get(`/addresses/${alice}/token-balances`)).status, 404);
  });

  it('adds its changes of a balance up to what the node has', async () => {
    speak('v11.2');
    let sum = 0n;
    let next: Page['next_page_params'] = {};
    while (next) {
      const read: Page = await page(`/addresses/${alice}/coin-balance-history?${query(next)}`);
      for (const { delta } of read.items) sum += BigInt(delta as string);
      next = read.next_page_params;
    }
    assert.equal(sum, BigInt((await localnet.node.call('eth_getBalance', [alice, 'latest'])) as string));
  });
});

type Body = Readonly<Record<string, unknown>> & {
  readonly items: readonly Readonly<Record<string, unknown>>[];
  readonly next_page_params: Readonly<Record<string, number>> | null;
};

describe('transactions by the REST interface of the local explorer', () => {
  let localnet: GrowingLocalnet;
  let kinds: TransactionKinds;
  /** One with 250 transfers. */
  let dense: Hex.Hex;

  before(async () => {
    localnet = await growingLocalnet();
    kinds = await sendTransactionKinds(localnet.node);
    await localnet.catchUp();
    const counts = new Map<Hex.Hex, number>();
    for (const { transactionHash } of localnet.index.logs({ from: 0, to: localnet.index.head() ?? 0 })) {
      counts.set(transactionHash, (counts.get(transactionHash) ?? 0) + 1);
    }
    [dense] = [...counts].find(([, count]) => count === 250) ?? assert.fail('No transaction has 250 logs.');
  });

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
