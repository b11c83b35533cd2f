import assert from 'node:assert/strict';
import { parseQuoteCurrency, quoteCurrencies, type TokenBalance } from '../../../../../src/core/index.ts';
import { type DataApiResponse, HOLDER, openDataApi, responseWithItems } from '../../../../support/dataApi.ts';

const CONTRACT = '0xc0de200000000000000000000000000000000020';
const UINT256_MAX = 2n ** 256n - 1n;

const ask = (answer: DataApiResponse) =>
  openDataApi(() => answer).client.tokenBalances(HOLDER, { quoteCurrency: 'USD' });

async function readOne(item: Record<string, unknown>): Promise<TokenBalance> {
  const { tokens, skipped } = await ask(
    responseWithItems([{ contract_address: CONTRACT, balance: '1', ...item }]),
  );
  assert.equal(skipped, 0);
  assert.ok(tokens[0]);
  return tokens[0];
}

describe('Token balances', () => {
  it('finds the native token in each generation of the answer', async () => {
    const usual = '0xEeeeeEeeeEeEeeEeEeEeeEEEeeeeEeeeeeeeEEeE';
    const unusual = '0x0000000000000000000000000000000000001010';
    const told: [Record<string, unknown>, boolean][] = [
      [{ contract_address: usual }, true],
      [{ contract_address: unusual }, false],
      [{ contract_address: unusual, native_token: true }, true],
      [{ contract_address: unusual, is_native_token: true }, true],
      [{ contract_address: unusual, is_native_token: true, native_token: false }, true],
      [{ contract_address: usual, is_native_token: false }, false],
      [{ contract_address: usual, native_token: null }, true],
      [{ contract_address: null, native_token: true }, true],
    ];
    for (const [item, native] of told)
      assert.equal((await readOne(item)).native, native, JSON.stringify(item));
  });

  it('is not complete where the server says that it has more', async () => {
    const answerWith = (pagination: unknown) => ({
      body: {
        data: { items: [{ contract_address: CONTRACT, balance: '1' }, 7], pagination },
        error: false,
      },
    });
    const { completeness } = await ask(answerWith({ has_more: true, page_number: 0 }));
    assert.deepEqual(completeness, {
      state: 'partial',
      reasons: [
        { code: 'bound', list: 'tokens', most: 2 },
        { code: 'unreadable', count: 1 },
      ],
    });
    for (const pagination of [null, undefined, {}, { has_more: false }, 'odd']) {
      assert.equal((await ask(answerWith(pagination))).completeness, undefined);
    }
  });

  it('keeps amounts exact up to the largest uint256', async () => {
    assert.equal((await readOne({ balance: UINT256_MAX.toString() })).amount, UINT256_MAX);
  });

  it('tells unknown decimals from none', async () => {
    for (const contract_decimals of [null, 300, 18.5])
      assert.equal((await readOne({ contract_decimals })).decimals, undefined);
    assert.equal((await readOne({ contract_decimals: 0 })).decimals, 0);
  });

  it('knows no value without a price, and works it out where only the price is told', async () => {
    for (const rate of [null, undefined, 0, -1, 'a lot']) {
      const { price, value } = await readOne({ quote_rate: rate, quote: 0 });
      assert.deepEqual([price, value], [undefined, undefined], String(rate));
    }
    const worked = await readOne({ contract_decimals: 2, balance: '150', quote_rate: 2, quote: null });
    assert.equal(worked.value, 3);
    const unknown = await readOne({ contract_decimals: null, balance: '150', quote_rate: 2, quote: null });
    assert.deepEqual([unknown.price, unknown.value], [2, undefined]);
    const nothingHeld = await readOne({ balance: '0', contract_decimals: 18, quote_rate: 2, quote: 0 });
    assert.equal(nothingHeld.value, 0);
  });

  it('marks a price beyond belief, by the currency of the answer', async () => {
    const absurd = await readOne({ quote_rate: 9.5329796e19, quote: 2.8349918e30 });
    assert.equal(absurd.absurdPrice, true);
    assert.equal((await readOne({ quote_rate: 1, quote: 5e12 })).absurdPrice, true);
    assert.equal((await readOne({ quote_rate: 105_000, quote: 2e9 })).absurdPrice, false);
    const dong = responseWithItems([{ contract_address: CONTRACT, quote_rate: 2.6e9, quote: 1e14 }], {
      quote_currency: 'VND',
    });
    const { quoteCurrency, tokens } = await ask(dong);
    assert.deepEqual([quoteCurrency, tokens[0]?.absurdPrice], ['VND', false]);
  });

  it('marks a price or a value below nothing, or beyond all numbers, and counts none of them', async () => {
    for (const fields of [
      '"quote_rate": -5, "quote": -5',
      '"quote_rate": -5',
      '"quote_rate": 5, "quote": -5',
      '"quote_rate": -5, "quote": 5',
      '"quote_rate": 1e999, "quote": 1',
      '"quote_rate": -1e999',
      '"quote_rate": 1, "quote": 1e999',
    ]) {
      const token = `{"contract_address": "${CONTRACT}", "balance": "1", "contract_decimals": 0, ${fields}}`;
      const { body } = responseWithItems([]);
      const { tokens } = await ask({
        body: JSON.stringify(body).replace('"items":[]', `"items":[${token}]`),
      });
      assert.equal(tokens[0]?.absurdPrice, true, fields);
    }
    for (const fields of [{ quote_rate: 0, quote: 0 }, { quote: -5 }, { quote_rate: '5' }]) {
      const { price, value, absurdPrice } = await readOne(fields);
      assert.deepEqual([price, value, absurdPrice], [undefined, undefined, false], JSON.stringify(fields));
    }
  });

  it('skips and counts what it cannot read, and keeps the rest', async () => {
    const nft_data = [
      { token_id: '7', token_balance: '3', supports_erc: ['erc1155'] },
      { token_id: 'seven' },
    ];
    const { tokens, skipped } = await ask(
      responseWithItems([
        null,
        'text',
        { balance: '1' },
        { contract_address: '0x1234', balance: '1' },
        { contract_address: CONTRACT, balance: '1.5' },
        { contract_address: CONTRACT, balance: '-1' },
        { contract_address: CONTRACT, balance: (UINT256_MAX + 1n).toString() },
        { contract_address: CONTRACT, contract_name: 12, supports_erc: ['erc20'], nft_data },
      ]),
    );
    assert.equal(skipped, 8);
    assert.equal(tokens.length, 1);
    assert.equal(tokens[0]?.name, undefined);
    assert.equal(tokens[0]?.standard, 'erc1155');
    assert.deepEqual(tokens[0]?.nfts, [{ tokenId: 7n, amount: 3n }]);
  });

  it('takes null for no items, and anything else for a broken answer', async () => {
    assert.deepEqual((await ask(responseWithItems(null))).tokens, []);
    const nothing = await ask({ body: { data: null, error: false } });
    assert.deepEqual([nothing.tokens, nothing.updatedAt, nothing.quoteCurrency], [[], undefined, 'USD']);
    const broken: unknown[] = [
      { data: null },
      { error: false, data: {} },
      { error: false, data: { items: {} } },
      { error: false, data: [] },
      { message: 'hello' },
      [],
      null,
      '"text"',
      responseWithItems([], { address: '0x7e57000000000000000000000000000000000002' }).body,
      responseWithItems([], { chain_id: 1 }).body,
      responseWithItems([], { chain_id: '1' }).body,
    ];
    for (const body of broken) {
      await assert.rejects(ask({ body }), { kind: 'badResponse' }, JSON.stringify(body));
    }
  });

  it('prices in sixteen currencies, written in any case', () => {
    assert.equal(quoteCurrencies.length, 16);
    assert.equal(quoteCurrencies[0], 'USD');
    assert.equal(parseQuoteCurrency(' eur '), 'EUR');
    assert.equal(parseQuoteCurrency('ETH'), undefined);
    assert.equal(parseQuoteCurrency(7), undefined);
  });
});
