import {
  type Address,
  AppError,
  badInput,
  type Completeness,
  createChainClient,
  createDataApiClient,
  type Erc20Balance,
  formatCompletenessReason,
  type HttpDeps,
  isAppError,
  MAX_LIST_ITEMS,
  NATIVE_TOKEN_ADDRESS,
  type ProviderId,
  parseQuoteCurrency,
  type QuoteCurrency,
  quoteCurrencies,
  requireAddress,
  type TokenBalance,
  type TokenBalances,
  toCompleteness,
} from '../../core/index.ts';
import type { CommandLine } from '../commandLine.ts';
import { openEndpointProvider } from '../endpoint.ts';
import { printLines, printMessage } from '../output.ts';

/**
 * Prints the token balances of an address, one a line, then whose they are and what the list is worth: of a data API
 * where one is given, of the explorer else, or of single contracts.
 */
export async function printTokens(
  http: HttpDeps,
  line: CommandLine,
  { signal }: { readonly signal: AbortSignal },
): Promise<void> {
  const address = requireAddress(line.subject);
  const quoteCurrency = parseQuoteCurrency(line.quoteCurrency);
  if (!quoteCurrency) {
    throw badInput('quote-currency', `--quote-currency takes one of ${quoteCurrencies.join(', ')}.`);
  }
  const { source, read } = await fetchFromFirst(createTokensProviders(http, line), (asked) =>
    asked.fetch(address, { quoteCurrency, signal }),
  );
  const tokens = read.tokens.filter((token) => !isNft(token));
  const currency = read.quoteCurrency;
  await printLines(tokens.map((token) => tokenToJson(token, currency)));
  const { state, reasons } = toVerdict(read);
  await printLines([{ holdings: { source, state, reasons, tokens: tokens.length } }]);
  printMessage(`${tokens.length} tokens of ${address}: ${state}`);
  const collections = read.tokens.length - tokens.length;
  if (collections > 0) printMessage(`${collections} NFT collections are no lines here`);
  for (const reason of reasons) printMessage(`- ${reason}`);
  if (currency !== quoteCurrency) printMessage(`values are in ${currency}, which the source prices in`);
}

/** Passes on to the next source what one does not serve. */
async function fetchFromFirst<T>(
  sources: readonly TokensProvider[],
  ask: (source: TokensProvider) => Promise<T>,
): Promise<{ readonly source: TokensProvider['name']; readonly read: T }> {
  const [first, ...others] = sources;
  if (!first)
    throw badInput('rpc', 'Give an explorer or a node with --rpc URL, or a data API with --data-api URL.');
  try {
    return { source: first.name, read: await ask(first) };
  } catch (error) {
    if (others.length === 0 || !isAppError(error, 'notServed')) throw error;
    printMessage(`${first.name} does not serve this: ${error.message}`);
    return await fetchFromFirst(others, ask);
  }
}

function isNft({ standard, nfts }: TokenBalance): boolean {
  return standard === 'erc721' || standard === 'erc1155' || nfts !== undefined;
}

function toVerdict({ completeness, notes = [], skipped }: TokensResult): {
  readonly state: Completeness['state'];
  readonly reasons: readonly string[];
} {
  const left = `${skipped} entries of the answer are left out: not readable, or beyond the first ${MAX_LIST_ITEMS}`;
  const known = completeness ?? { state: skipped > 0 ? 'partial' : 'complete', reasons: [] };
  const reasons = [...known.reasons.map(formatCompletenessReason), ...notes];
  return { state: known.state, reasons: completeness || skipped === 0 ? reasons : [...reasons, left] };
}

/** Amounts are decimal strings of smallest units; what the server does not tell is null. */
function tokenToJson(token: TokenBalance, quoteCurrency: string) {
  return {
    contract: token.contract,
    native: token.native,
    standard: token.standard ?? null,
    name: token.name ?? null,
    symbol: token.symbol ?? null,
    decimals: token.decimals ?? null,
    amount: token.amount?.toString() ?? null,
    price: token.price ?? null,
    value: token.value ?? null,
    quoteCurrency,
    absurdPrice: token.absurdPrice,
    category: token.category ?? null,
    spam: token.spam ?? null,
  };
}

export interface TokensOptions {
  readonly quoteCurrency: QuoteCurrency;
  readonly signal: AbortSignal;
}

/** Who can be asked for tokens. */
interface TokensProvider {
  readonly name: ProviderId;
  /** @throws AppError `notServed` where the next one is to be asked. */
  fetch(address: Address, asked: TokensOptions): Promise<TokensResult>;
}

/**
 * Those whom the command line names, the preferred first. @throws AppError `badInput` for a data API without its key.
 */
function createTokensProviders(http: HttpDeps, line: CommandLine): readonly TokensProvider[] {
  const { rpcUrl } = line;
  const asksDataApi = line.dataApiUrl !== undefined || rpcUrl === undefined;
  return [
    ...(asksDataApi ? [createDataApiProvider(http, line)] : []),
    ...(rpcUrl === undefined
      ? []
      : [createExplorerProvider(http, rpcUrl), createCallsProvider(http, rpcUrl, line)]),
  ];
}

function createDataApiProvider(http: HttpDeps, line: CommandLine): TokensProvider {
  const client = createDataApiClient({ ...http, ...readDataApiOptions(line) });
  return {
    name: 'dataApi',
    fetch(address, asked) {
      const read = client.tokenBalances(address, asked);
      read.catch((error: unknown) => printKeyPlaceHint(error, line));
      return read;
    },
  };
}

function createExplorerProvider(http: HttpDeps, rpcUrl: string): TokensProvider {
  return {
    name: 'explorer',
    async fetch(address, asked) {
      const holdings = await openEndpointProvider(http, 'holdings', { rpcUrl, signal: asked.signal });
      if (!holdings) throw new AppError('notServed', 'The endpoint is no explorer.');
      return await holdings.tokenBalances(address, asked);
    },
  };
}

function createCallsProvider(http: HttpDeps, rpcUrl: string, { tokens }: CommandLine): TokensProvider {
  return {
    name: 'calls',
    fetch: (address, { signal }) => fetchTokensByCalls({ ...http, url: rpcUrl }, { address, tokens, signal }),
  };
}

/** Where the key may have been in the wrong place, says what to try. */
function printKeyPlaceHint(error: unknown, { keyIn }: CommandLine): void {
  if (keyIn === 'header' && isAppError(error, 'unauthorized', 'forbidden')) {
    printMessage(
      'The key was sent in a header. If this server takes it in the URL only, use --key-in query.',
    );
  }
}

function readDataApiOptions({ chainId, dataApiUrl, keyEnv, keyIn }: CommandLine) {
  if (dataApiUrl === undefined) {
    throw badInput('data-api', 'Give an explorer with --rpc URL, or a data API with --data-api URL.');
  }
  if (chainId === undefined) throw badInput('chain-id', 'Give the chain with --chain-id N.');
  if (keyEnv === undefined) {
    throw badInput(
      'key-env',
      'Name the environment variable that holds the data API key with --key-env NAME.',
    );
  }
  const key = process.env[keyEnv];
  if (!key) throw badInput('key-env', `The environment variable ${keyEnv} is not set.`);
  return { baseUrl: dataApiUrl, chainId, key, keyIn };
}

/** Tokens as a source tells them, and what the list is worth. */
interface TokensResult extends Pick<TokenBalances, 'quoteCurrency' | 'skipped'> {
  readonly tokens: readonly TokenBalance[];
  readonly completeness?: Completeness | undefined;
  /** Why it is worth no more, in words, beside the reasons of `completeness`. */
  readonly notes?: readonly string[];
}

/** What the endpoint itself tells: the native balance, and those of the tokens that are named. */
export async function fetchTokensByCalls(
  at: HttpDeps & { readonly url: string },
  asked: { readonly address: Address; readonly tokens: readonly Address[]; readonly signal: AbortSignal },
): Promise<TokensResult> {
  const { address, tokens, signal } = asked;
  const client = createChainClient(at);
  const [native, ...balances] = await Promise.all([
    client.getBalance(address, { signal }),
    ...tokens.map((token) => client.fetchErc20Balance(token, address, { signal })),
  ]);
  const coin =
    native.state === 'known'
      ? [
          toTokenBalance(NATIVE_TOKEN_ADDRESS, {
            state: 'known',
            amount: native.wei,
            decimals: 18,
            symbol: undefined,
          }),
        ]
      : [];
  const held = tokens.map((token, place) => toTokenBalance(token, balances[place] ?? { state: 'notAToken' }));
  const coinNotes = native.state === 'known' ? [] : ['the endpoint does not know the native balance'];
  const notes = tokens.flatMap((token, place) => {
    const { state } = balances[place] ?? { state: 'notAToken' };
    if (state === 'known') return [];
    return [state === 'notOffered' ? 'the endpoint does not offer eth_call' : `${token} is no ERC-20 token`];
  });
  return {
    quoteCurrency: 'USD',
    skipped: 0,
    tokens: [...coin, ...held].filter((token) => token !== undefined),
    completeness: { ...toCompleteness([]), state: 'uncertain' },
    notes: [
      'no source here lists tokens: only those that --token names are read',
      ...coinNotes,
      ...new Set(notes),
    ],
  };
}

function toTokenBalance(contract: Address, balance: Erc20Balance): TokenBalance | undefined {
  if (balance.state !== 'known') return undefined;
  const { amount, decimals, symbol } = balance;
  const native = contract === NATIVE_TOKEN_ADDRESS;
  return {
    contract,
    native,
    amount,
    decimals,
    symbol,
    name: undefined,
    standard: native ? undefined : 'erc20',
    price: undefined,
    value: undefined,
    absurdPrice: false,
    category: undefined,
    spam: undefined,
    lastTransferAt: undefined,
    nfts: undefined,
  };
}
