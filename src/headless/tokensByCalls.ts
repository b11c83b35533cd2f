import {
  type Address,
  type Completeness,
  createChainClient,
  type Erc20Balance,
  type HttpDeps,
  NATIVE_TOKEN_ADDRESS,
  type TokenBalance,
  type TokenBalances,
  toCompleteness,
} from '../core/index.ts';

/** Tokens as a source tells them, and what the list is worth. */
export interface TokensRead extends Pick<TokenBalances, 'quoteCurrency' | 'skipped'> {
  readonly tokens: readonly TokenBalance[];
  readonly completeness?: Completeness | undefined;
  /** Why it is worth no more, in words, beside the reasons of `completeness`. */
  readonly notes?: readonly string[];
}

/** What the endpoint itself tells: the native balance, and those of the tokens that are named. */
export async function tokensByCalls(
  at: HttpDeps & { readonly url: string },
  asked: { readonly address: Address; readonly tokens: readonly Address[]; readonly signal: AbortSignal },
): Promise<TokensRead> {
  const { address, tokens, signal } = asked;
  const client = createChainClient(at);
  const [native, ...balances] = await Promise.all([
    client.nativeBalance(address, { signal }),
    ...tokens.map((token) => client.erc20Balance(token, address, { signal })),
  ]);
  const coin =
    native.state === 'known'
      ? [
          tokenOf(NATIVE_TOKEN_ADDRESS, {
            state: 'known',
            amount: native.wei,
            decimals: 18,
            symbol: undefined,
          }),
        ]
      : [];
  const held = tokens.map((token, place) => tokenOf(token, balances[place] ?? { state: 'notAToken' }));
  const coinNotes = native.state === 'known' ? [] : ['the endpoint does not know the native balance'];
  const notes = tokens.flatMap((token, place) => {
    const { state } = balances[place] ?? { state: 'notAToken' };
    if (state === 'known') return [];
    return [state === 'notOffered' ? 'the endpoint does not offer eth_call' : `${token} is no ERC-20 token`];
  });
  return {
    ...{
      quoteCurrency: 'USD',
      skipped: 0,
      tokens: [...coin, ...held].filter((token) => token !== undefined),
    },
    completeness: { ...toCompleteness([]), state: 'uncertain' },
    notes: [
      'no source here lists tokens: only those that --token names are read',
      ...coinNotes,
      ...new Set(notes),
    ],
  };
}

function tokenOf(contract: Address, balance: Erc20Balance): TokenBalance | undefined {
  if (balance.state !== 'known') return undefined;
  const { amount, decimals, symbol } = balance;
  const native = contract === NATIVE_TOKEN_ADDRESS;
  return {
    ...{ contract, native, amount, decimals, symbol, name: undefined },
    standard: native ? undefined : 'erc20',
    ...{ price: undefined, value: undefined, absurdPrice: false, category: undefined, spam: undefined },
    ...{ lastTransferAt: undefined, nfts: undefined },
  };
}
