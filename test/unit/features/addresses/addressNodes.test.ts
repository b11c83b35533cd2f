import assert from 'node:assert/strict';
import type { TokenBalance } from '../../../../src/core/index.ts';
import { type AddressNode, balanceNodes, nodeId } from '../../../../src/features/addresses/addressNodes.ts';
import type { NativeFigure, TokensFigure } from '../../../../src/features/addresses/balanceReader.ts';
import type { Loadable } from '../../../../src/features/addresses/loadables.ts';

const parent: AddressNode = { kind: 'address', group: 'recent', address: `0x${'11'.repeat(20)}` };
const none = { state: 'none' } as const;

function token(symbol: string, fields: Partial<TokenBalance> = {}): TokenBalance {
  return {
    contract: `0x${Buffer.from(symbol.padEnd(20)).toString('hex')}`,
    native: false,
    standard: undefined,
    name: undefined,
    symbol,
    decimals: 18,
    amount: 10n ** 18n,
    price: undefined,
    value: undefined,
    absurdPrice: false,
    category: undefined,
    spam: undefined,
    lastTransferAt: undefined,
    nfts: undefined,
    ...fields,
  };
}

function tokens(list: readonly TokenBalance[], skipped = 0): Loadable<TokensFigure> {
  const balances = {
    ...{ address: parent.address, quoteCurrency: 'USD', updatedAt: 0 },
    ...{ tokens: list, tellsNfts: false, skipped },
  };
  return { state: 'loaded', value: { state: 'ready', balances, readAt: 0 } };
}

/** The rows as short words: a token by its symbol, a note by its name. */
function rows(native: Loadable<NativeFigure>, held: Loadable<TokensFigure>): string[] {
  return balanceNodes(parent, native, held, 18).map((node) => {
    if (node.kind === 'token') return node.token.symbol ?? '';
    return node.kind === 'note' ? node.content.note : node.kind;
  });
}

describe('Rows under an address', () => {
  it('begin with the native balance and say what becomes of the tokens', () => {
    assert.deepEqual(rows(none, none), ['native', 'tokensLoading']);
    assert.deepEqual(rows(none, { state: 'loading', before: undefined }), ['native', 'tokensLoading']);
    assert.deepEqual(rows(none, tokens([])), ['native', 'noTokens']);
    assert.deepEqual(rows(none, { state: 'failed', error: 0, before: undefined }), [
      'native',
      'tokensFailed',
    ]);
    for (const state of ['noKey', 'notServed'] as const) {
      assert.deepEqual(rows(none, { state: 'loaded', value: { state } }), ['native', state]);
    }
  });

  it('keep the tokens from before while new ones load and when that fails', () => {
    const figure = tokens([token('A')]);
    assert.ok(figure.state === 'loaded');
    assert.deepEqual(rows(none, { state: 'loading', before: figure.value }), ['native', 'A']);
    assert.deepEqual(rows(none, { state: 'failed', error: 0, before: figure.value }), [
      'native',
      'tokensFailed',
      'A',
    ]);
  });

  it('put the most valuable token first, and those without a price to believe last, by name', () => {
    const held = tokens([
      token('ZERO', { price: 1, value: 0 }),
      token('NONE'),
      token('ABSURD', { price: 1e19, value: 1e19, absurdPrice: true }),
      token('RICH', { price: 1, value: 500 }),
      token('COIN', { native: true }),
    ]);
    assert.deepEqual(rows(none, held), ['native', 'RICH', 'ZERO', 'ABSURD', 'NONE']);
  });

  it('tell of entries that could not be read, also when nothing else is held', () => {
    assert.deepEqual(rows(none, tokens([token('A')], 2)), ['native', 'A', 'tokensSkipped']);
    assert.deepEqual(rows(none, tokens([], 1)), ['native', 'tokensSkipped']);
  });

  it('copy the exact number, and nothing where none is known', () => {
    const known: NativeFigure = { balance: { state: 'known', wei: 1n }, head: undefined, readAt: 0 };
    const unknown: NativeFigure = { ...known, balance: { state: 'unknown' } };
    const copied = (native: Loadable<NativeFigure>, held: Loadable<TokensFigure>) =>
      balanceNodes(parent, native, held, 18).map((node) => ('copyText' in node ? node.copyText : undefined));
    const held = tokens([
      token('A', { amount: 2n ** 256n - 1n, decimals: 6 }),
      token('B', { amount: 12n, decimals: undefined }),
      token('C', { amount: undefined }),
    ]);
    assert.deepEqual(copied({ state: 'loaded', value: known }, held), [
      '0.000000000000000001',
      '115792089237316195423570985008687907853269984665640564039457584007913129.639935',
      '12',
      undefined,
    ]);
    assert.deepEqual(copied({ state: 'loaded', value: unknown }, tokens([]))[0], undefined);
    assert.deepEqual(copied({ state: 'loading', before: known }, none)[0], '0.000000000000000001');
  });

  it('have ids of their own that stay the same', () => {
    const list = balanceNodes(parent, none, tokens([token('A'), token('B')], 1), 18);
    const ids = list.map(nodeId);
    assert.equal(new Set(ids).size, ids.length);
    assert.deepEqual(balanceNodes(parent, none, tokens([token('A'), token('B')], 1), 18).map(nodeId), ids);
  });
});
