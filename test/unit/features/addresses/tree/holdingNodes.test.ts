import assert from 'node:assert/strict';
import {
  type Address,
  AppError,
  type Completeness,
  type Erc20Balance,
  type TokenBalance,
  toCompleteness,
} from '../../../../../src/core/index.ts';
import { arrangePortfolio } from '../../../../../src/core/tokens/holdings.ts';
import type {
  HoldingsResult,
  LoadedHoldings,
  NativeBalanceRead,
} from '../../../../../src/features/addresses/balances/balanceReader.ts';
import {
  type AddressNode,
  type AddressTreeNode,
  type CollectionNode,
  type FoldNode,
  findAddressNode,
  getAddressNodeId,
} from '../../../../../src/features/addresses/tree/addressNodes.ts';
import {
  createCollectionChildren,
  createFoldChildren,
  createHoldingsNodes,
  createNativeNode,
  createWatchedTokenNodes,
  listHoldings,
  PAGE_SIZE,
} from '../../../../../src/features/addresses/tree/holdingNodes.ts';
import type { LoadState } from '../../../../../src/host/loading.ts';

const parent: AddressNode = { kind: 'address', group: 'recent', account: `0x${'11'.repeat(20)}` };
const none = { state: 'idle' } as const;

function token(symbol: string, fields: Partial<TokenBalance> = {}): TokenBalance {
  return {
    ...{
      contract: `0x${Buffer.from(symbol.padEnd(20)).toString('hex')}`,
      native: false,
      symbol,
      decimals: 18,
    },
    ...{ standard: undefined, name: undefined, amount: 10n ** 18n, price: undefined, value: undefined },
    ...{ absurdPrice: false, category: undefined, spam: undefined, lastTransferAt: undefined },
    ...{ nfts: undefined, ...fields },
  };
}

function holding(list: readonly TokenBalance[], skipped = 0, nftError?: AppError): LoadedHoldings {
  const balances = {
    ...{ address: parent.account, quoteCurrency: 'USD', updatedAt: 0 },
    ...{ tokens: list, includesNfts: true, skipped },
    ...{ source: { name: 'covalent', origin: 'https://data.example', takesKey: true }, readAt: 0 },
  };
  const holdings = { balances, portfolio: arrangePortfolio(balances), skipped, nftError: nftError };
  return { state: 'ready', holdings, currency: 'USD' };
}

const loaded = (value: HoldingsResult): LoadState<HoldingsResult> => ({ state: 'loaded', value });

function children(
  held: LoadState<HoldingsResult>,
  native: LoadState<NativeBalanceRead> = none,
  shown?: number,
) {
  return [createNativeNode(parent, native, 18), ...createHoldingsNodes(parent, held, { shown })];
}

/** The rows as short words: a token by its symbol, a fold and a note by its name. */
function words(nodes: readonly AddressTreeNode[]): string[] {
  return nodes.map((node) => {
    switch (node.kind) {
      case 'token':
        return node.token.symbol ?? '';
      case 'note':
        return node.content.note;
      case 'fold':
        return `[${node.fold}]`;
      default:
        return node.kind;
    }
  });
}

const wordsOf = (...of: Parameters<typeof children>) => words(children(...of));

const nft = (tokenId: bigint) => ({ tokenId, amount: 1n });
const rich = [
  token('NONE'),
  token('ABSURD', { price: 1e19, value: 1e19, absurdPrice: true }),
  token('RICH', { price: 1, value: 500 }),
  token('COIN', { native: true }),
  token('USD', { category: 'stablecoin', price: 1, value: 1 }),
  token('CRUMB', { category: 'dust', amount: 1n }),
  token('FREE', { spam: true }),
  token('APE', { standard: 'erc721', nfts: [nft(7n), nft(2n ** 256n - 1n)], amount: 2n }),
  token('JUNK', { standard: 'erc721', nfts: [nft(1n)], amount: 5n, spam: true }),
];

describe('Rows under an address', () => {
  it('say what a list of holdings lacks or may lack, beside what is held, and each thing once', () => {
    const source = holding([token('AAA')], 2);
    const of = (completeness: Completeness | undefined) =>
      wordsOf(loaded({ ...source, holdings: { ...source.holdings, completeness } }));
    const left = toCompleteness([{ code: 'unreadable', count: 2 }]);
    const usual = ['native', 'total', 'tokensSkipped', 'AAA'];
    assert.deepEqual(of(undefined), usual);
    assert.deepEqual(of(toCompleteness([])), usual);
    assert.deepEqual(of(left), usual);
    const uncertain = toCompleteness([...left.reasons, { code: 'indexing', ratio: 0.5 }]);
    assert.deepEqual(of(uncertain), ['native', 'total', 'tokensSkipped', 'mayLack', 'AAA']);
    const [, , , note] = children(
      loaded({ ...source, holdings: { ...source.holdings, completeness: uncertain } }),
    );
    assert.ok(note?.kind === 'note' && note.content.note === 'mayLack');
    assert.deepEqual(note.content.completeness, toCompleteness([{ code: 'indexing', ratio: 0.5 }]));
    assert.equal(wordsOf(loaded({ state: 'notWanted', before: source }))[1], 'notWanted');
    const empty = holding([]);
    const completeness = toCompleteness([{ code: 'indexing', ratio: 0.5 }]);
    assert.deepEqual(wordsOf(loaded(empty)), ['native', 'noTokens']);
    const lacking = { ...empty, holdings: { ...empty.holdings, completeness } };
    assert.deepEqual(wordsOf(loaded(lacking)), ['native', 'mayLack']);
  });

  const before = holding([token('A')]);
  const late = new AppError('timeout', 'late');
  const rowsByState: readonly (readonly [string, LoadState<HoldingsResult>, string])[] = [
    ['are to be read', none, 'native tokensLoading'],
    ['are being read', { state: 'loading', previous: undefined }, 'native tokensLoading'],
    ['are none', loaded(holding([])), 'native noTokens'],
    ['cannot be had', { state: 'failed', error: 0, previous: undefined }, 'native tokensFailed'],
    ['need a key', loaded({ state: 'noKey' }), 'native noKey'],
    ['are not served', loaded({ state: 'notServed' }), 'native notServed'],
    ['are due again', { state: 'idle', previous: before }, 'native total A'],
    ['are read anew', { state: 'loading', previous: before }, 'native total A'],
    ['cannot be read anew', { state: 'failed', error: 0, previous: before }, 'native tokensFailed total A'],
    ['are of a key that has gone', loaded({ state: 'noKey', before }), 'native noKey total A'],
    ['could not be read in part', loaded(holding([], 1)), 'native tokensSkipped'],
    ['lack their NFTs', loaded(holding([token('A')], 0, late)), 'native total nftsFailed A'],
  ];
  for (const [state, held, rows] of rowsByState) {
    it(`begin with the native balance and say that the tokens ${state}`, () =>
      assert.equal(wordsOf(held).join(' '), rows));
  }

  it('say that values are in a currency that is no longer chosen', () => {
    const rows = (held: LoadState<HoldingsResult>, currency: 'EUR' | 'USD') =>
      words(createHoldingsNodes(parent, held, { currency }));
    assert.deepEqual(rows(loaded(before), 'USD'), ['total', 'A']);
    assert.deepEqual(rows(loaded(before), 'EUR'), ['total', 'otherCurrency', 'A']);
    assert.deepEqual(rows({ state: 'loading', previous: before }, 'EUR'), ['total', 'otherCurrency', 'A']);
    assert.deepEqual(rows(loaded(holding([])), 'EUR'), ['noTokens']);
    assert.deepEqual(rows(loaded({ state: 'notAsked', before }), 'USD'), ['notAsked', 'total', 'A']);
  });

  it('fold nothing but dust and spam: tokens stand by value, stablecoins too, and NFTs beside them', () => {
    assert.deepEqual(wordsOf(loaded(holding(rich))), [
      ...['native', 'total', 'RICH', 'USD', 'ABSURD', 'NONE', 'collection'],
      ...['[dust]', '[spam]', '[spamCollections]'],
    ]);
  });

  it('have many NFTs above many tokens, which would hide them', () => {
    const many = Array.from({ length: 50 }, (_, i) => token(`T${i}`));
    const ape = token('APE', { standard: 'erc721', nfts: [nft(7n)], amount: 1n });
    assert.deepEqual(wordsOf(loaded(holding([...many, ape]))).slice(0, 4), [
      ...['native', 'total', '[collections]', 'T0'],
    ]);
  });

  it('show NFTs by collection with their token ids, and say where not all of them are listed', () => {
    const rows = children(loaded(holding(rich)));
    const apes = rows.find((node) => node.kind === 'collection');
    const fold = rows.find((node) => node.kind === 'fold' && node.fold === 'spamCollections') as FoldNode;
    const junk = createFoldChildren(fold)[0] as CollectionNode;
    assert.ok(apes);
    const ids = createCollectionChildren(apes).map((node) => 'tokenId' in node && node.tokenId);
    assert.deepEqual(ids, ['7', (2n ** 256n - 1n).toString()]);
    assert.deepEqual(words(createCollectionChildren(junk)), ['nft', 'nftsNotListed']);
  });

  it('come some at a time where there are many, with what is folded away behind them', () => {
    const most = Array.from({ length: PAGE_SIZE }, (_, i) => token(`T${i}`));
    const spam = token('FREE', { spam: true });
    const of = (...list: readonly TokenBalance[]) => wordsOf(loaded(holding(list))).slice(-2);
    assert.deepEqual(of(...most, token('ONE'), spam), ['more', '[spam]']);
    assert.ok(!of(...most, spam).includes('more'));
  });

  it('can be searched, each with its place among those of its row', () => {
    const found = listHoldings(parent, holding(rich)).map(({ node, index }) => [
      node.kind === 'token' ? node.token.symbol : node.collection.symbol,
      index,
    ]);
    assert.equal(found.join(' '), 'RICH,0 USD,1 ABSURD,2 NONE,3 APE,0 CRUMB,0 FREE,0 JUNK,0');
  });

  it('copy the exact number and the raw one, and nothing where none is known', () => {
    const known: NativeBalanceRead = { balance: { state: 'known', wei: 1n }, head: undefined, readAt: 0 };
    const unknown: NativeBalanceRead = { ...known, balance: { state: 'unknown' } };
    const copied = (native: LoadState<NativeBalanceRead>, held: LoadState<HoldingsResult>) =>
      children(held, native)
        .filter((node) => node.kind === 'native' || node.kind === 'token')
        .map((node) => [node.copyText, 'rawAmount' in node ? node.rawAmount : undefined]);
    const held = holding([
      token('A', { amount: 2n ** 256n - 1n, decimals: 6 }),
      token('B', { amount: 12n, decimals: undefined }),
      token('C', { amount: undefined }),
    ]);
    const digits = (2n ** 256n - 1n).toString();
    assert.deepEqual(copied({ state: 'loaded', value: known }, loaded(held)), [
      ['0.000000000000000001', undefined],
      [`${digits.slice(0, -6)}.${digits.slice(-6)}`, digits],
      ['12', '12'],
      [undefined, undefined],
    ]);
    assert.deepEqual(copied({ state: 'loaded', value: unknown }, none), [[undefined, undefined]]);
    assert.deepEqual(copied({ state: 'loading', previous: known }, none)[0]?.[0], '0.000000000000000001');
  });

  it('have the watched tokens as their contracts tell them, or one word where they cannot be asked', () => {
    const contract: Address = `0x${'22'.repeat(20)}`;
    const read = (balance: Erc20Balance) =>
      createWatchedTokenNodes(parent, [
        {
          contract,
          isWatched: true,
          figure: { state: 'loaded', value: { balance, head: undefined, readAt: 0 } },
        },
        { contract: parent.account, isWatched: true, figure: none },
      ]);
    const [first, second] = read({ state: 'known', amount: 1_500_000n, symbol: 'USD', decimals: 6 });
    assert.ok(first?.kind === 'watchedToken' && second?.kind === 'watchedToken');
    assert.deepEqual([first.copyText, first.rawAmount, first.account], ['1.5', '1500000', parent.account]);
    assert.equal(second.copyText, undefined);
    assert.notEqual(getAddressNodeId(first), getAddressNodeId(second));
    assert.deepEqual(words(read({ state: 'notAToken' })), ['watchedToken', 'watchedToken']);
    assert.deepEqual(words(read({ state: 'notOffered' })), ['noEthCall']);
  });

  it('have ids of their own that stay the same, also where one contract is told twice', () => {
    const list = () => children(loaded(holding([token('A'), token('B'), token('A'), token('A')], 1)));
    const ids = list().map(getAddressNodeId);
    assert.equal(new Set(ids).size, ids.length);
    assert.deepEqual(list().map(getAddressNodeId), ids);
  });

  it('know the address that they stand under', () => {
    const fold = children(loaded(holding(rich))).find((node) => node.kind === 'fold');
    assert.ok(fold);
    for (const node of createFoldChildren(fold)) assert.equal(findAddressNode(node), parent);
    assert.equal(findAddressNode({ kind: 'group', group: 'recent' }), undefined);
  });
});
