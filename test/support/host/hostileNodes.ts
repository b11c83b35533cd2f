import { Uri } from 'vscode';
import { type Address, AppError, type Identity } from '../../../src/core/index.ts';
import type { LoadedHoldings } from '../../../src/features/addresses/balances/balanceReader.ts';
import { listIdentityFacts } from '../../../src/features/addresses/identityFacts.ts';
import type { AddressNode, AddressTreeNode } from '../../../src/features/addresses/tree/addressNodes.ts';

export const HOLDER: Address = '0x7e57000000000000000000000000000000000001';

/** A refusal in the words of a server. */
function errorWith(serverMessage: string): AppError {
  return new AppError('rpc', 'The server refused the call.', { serverMessage });
}

/** What an address holds when whoever deployed the contracts named them `text`. */
function holdingsNamed(text: string): LoadedHoldings {
  const token = {
    ...{ contract: HOLDER, native: false, standard: 'erc20' as const, name: text, symbol: text },
    ...{ decimals: 2, amount: 5n, price: 1e9, value: 5e9, absurdPrice: true, category: text, spam: false },
    ...{ lastTransferAt: undefined, nfts: undefined },
  };
  const collection = {
    ...{ contract: HOLDER, standard: 'erc721' as const, name: text, symbol: text, amount: 1n, spam: false },
    ...{ lastTransferAt: undefined, nfts: [] },
  };
  const total = {
    value: 5,
    quoteCurrency: text,
    withoutValue: 1,
    absurdPrice: 1,
    nftCollections: 1,
  };
  const balances = {
    ...{ address: HOLDER, quoteCurrency: text, updatedAt: undefined, tokens: [token], includesNfts: true },
    skipped: 0,
    ...{ source: { name: 'covalent', origin: 'https://data.example', takesKey: true }, readAt: 0 },
  };
  const portfolio = {
    ...{ native: undefined, tokens: [token], dust: [], spam: [] },
    ...{ collections: [collection], spamCollections: [], total },
  };
  const holdings = { balances, portfolio, skipped: 0, nftError: undefined };
  return { state: 'ready', holdings, currency: 'USD' };
}

/** A proxy of a token in which every word is `text`. */
function identityNamed(text: string): Identity {
  const source = { name: text, origin: text, takesKey: false };
  const implementation = { address: HOLDER, name: text };
  return {
    ...{ address: HOLDER, kind: 'contract', name: text },
    token: { standard: 'ERC-20', name: text, symbol: text, decimals: 6, supply: 1n },
    proxy: {
      ...{ type: 'eip1967', left: 1, admin: HOLDER, beacon: HOLDER },
      implementations: [implementation],
      conflict: [{ ...implementation, type: undefined }],
    },
    created: { block: 1n, transaction: undefined, deployer: HOLDER },
    sources: [{ source, readAt: 0, tells: ['kind'] }],
  };
}

/** A row of every kind whose words come from outside, all of them `text`. */
export function nodesNamed(text: string): readonly AddressTreeNode[] {
  const loaded = holdingsNamed(text);
  const [token] = loaded.holdings.portfolio.tokens;
  const [collection] = loaded.holdings.portfolio.collections;
  if (!token || !collection) throw new Error('There are no holdings.');
  const uri = Uri.from({ scheme: 'file', path: `/${text.slice(0, 1000)}` });
  const parent: AddressNode = {
    ...{ kind: 'address', group: 'workspace', account: HOLDER },
    occurrence: { address: HOLDER, uri, line: 0 },
  };
  const held = { parent, contract: HOLDER, account: HOLDER, standard: undefined };
  const common = { ...held, nth: 0, loaded, copyText: text, rawAmount: text };
  const fold = { kind: 'fold', fold: 'collections', parent, loaded } as const;
  const head = { block: 7n, firstSeenAt: 0, firstSeenElapsed: 0 };
  const known = { state: 'known', amount: 5n, symbol: text, decimals: undefined } as const;
  const native = { balance: { state: 'known', wei: 5n }, head, readAt: 0 } as const;
  const error = errorWith(text);
  const failed = { state: 'failed', error, previous: undefined } as const;
  const collectionNode = { ...common, kind: 'collection', collection, parent: fold } as const;
  const identity = identityNamed(text);
  const facts = [...listIdentityFacts(identity), ...listIdentityFacts({ ...identity, token: undefined })];
  return [
    parent,
    fold,
    ...facts.map((fact) => ({ kind: 'fact', parent, fact, identity }) as const),
    { kind: 'native', parent, figure: failed, copyText: text },
    { kind: 'native', parent, figure: { state: 'failed', error, previous: native }, copyText: text },
    { ...common, kind: 'watchedToken', isWatched: true, figure: failed },
    {
      ...common,
      kind: 'watchedToken',
      isWatched: false,
      figure: { state: 'failed', error, previous: { balance: known, head, readAt: 0 } },
    },
    { kind: 'total', parent, loaded },
    { ...common, kind: 'token', token },
    collectionNode,
    {
      ...{ ...common, kind: 'nft', parent: collectionNode, tokenId: text },
      nft: { tokenId: 1n, amount: 2n } as never,
    },
    { kind: 'note', parent, content: { note: 'tokensFailed', error, kept: loaded } },
    { kind: 'note', parent, content: { note: 'nftsFailed', error } },
  ];
}
