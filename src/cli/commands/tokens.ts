import {
  type Address,
  AppError,
  badInput,
  type Completeness,
  createChainClient,
  createDataApiClient,
  createKeyPlaceFinder,
  describeCompleteness,
  type Erc20Balance,
  englishMessage,
  formatMessage,
  formatQuantity,
  type HttpDeps,
  isAppError,
  judge,
  MAX_LIST_ITEMS,
  NATIVE_TOKEN_ADDRESS,
  type ProviderId,
  parseQuoteCurrency,
  type QuoteCurrency,
  quoteCurrencies,
  requireWrittenAddress,
  type TokenBalance,
  type TokenBalances,
  toCompleteness,
} from '../../core/index.ts';
import type { CommandLine } from '../commandLine.ts';
import type { CliContext } from '../context.ts';
import { openEndpointProvider } from '../endpoint.ts';
import type { Output } from '../output.ts';
import type { Env } from '../terminal.ts';

/**
 * Prints the token balances of an address, one a line, then their provider and the verdict. They come from the
 * data API if one is set, else from the explorer, else from calls to the contracts of `--token`.
 */
export async function printTokens(line: CommandLine, context: CliContext): Promise<void> {
  const { signal } = context;
  const { printLines, printMessage } = context.output;
  const address = requireWrittenAddress(line.subject);
  const quoteCurrency = parseQuoteCurrency(line.quoteCurrency);
  if (!quoteCurrency) {
    throw badInput(
      'quote-currency',
      englishMessage`--quote-currency must be one of ${quoteCurrencies.join(', ')}.`,
    );
  }
  const { source, read: result } = await fetchFromFirst(
    createTokensProviders(line, context),
    (provider) => provider.fetch(address, { quoteCurrency, signal }),
    context.output,
  );
  const tokens = result.tokens.filter((token) => !isNft(token));
  const currency = result.quoteCurrency;
  await printLines(tokens.map((token) => tokenToJson(token, currency)));
  const { state, reasons } = toVerdict(result);
  await printLines([{ holdings: { source, state, reasons, tokens: tokens.length } }]);
  printMessage(`${formatQuantity(tokens.length, 'token')} of ${address}: ${state}`);
  const collections = result.tokens.length - tokens.length;
  if (collections > 0) printMessage(`NFT collections that are not listed: ${collections}.`);
  for (const reason of reasons) printMessage(`- ${reason}`);
  if (currency !== quoteCurrency) printMessage(`Values are in ${currency}, the currency of the provider.`);
}

/** Falls back to the next provider when one does not serve the request. */
async function fetchFromFirst<T>(
  providers: readonly TokensProvider[],
  fetchTokens: (source: TokensProvider) => Promise<T>,
  output: Output,
): Promise<{ readonly source: TokensProvider['name']; readonly read: T }> {
  const [first, ...others] = providers;
  if (!first)
    throw badInput(
      'rpc',
      'No provider is set. Set an explorer or a node with --rpc URL, or a data API with --data-api URL.',
    );
  try {
    return { source: first.name, read: await fetchTokens(first) };
  } catch (error) {
    if (others.length === 0 || !isAppError(error, 'notServed')) throw error;
    output.printMessage(`${first.name} does not serve this: ${error.message}`);
    return await fetchFromFirst(others, fetchTokens, output);
  }
}

function isNft({ standard, nfts }: TokenBalance): boolean {
  return standard === 'erc721' || standard === 'erc1155' || nfts !== undefined;
}

function toVerdict({ completeness, notes = [], skipped }: TokensResult): {
  readonly state: Completeness['state'];
  readonly reasons: readonly string[];
} {
  const skippedReason = `${skipped} entries are left out. They are unreadable, or beyond the first ${MAX_LIST_ITEMS}.`;
  return judge<'partial' | 'uncertain', string>({
    state: completeness?.state ?? (skipped > 0 ? 'partial' : 'complete'),
    otherwise: 'uncertain',
    reasons: [
      ...(completeness?.reasons ?? []).map(describeCompleteness).map(formatMessage),
      ...notes,
      ...(completeness || skipped === 0 ? [] : [skippedReason]),
    ],
  });
}

/** Amounts are decimal strings of smallest units. Unknown values are null. */
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

/** Tokens of a provider, and the verdict on the list. */
interface TokensResult extends Pick<TokenBalances, 'quoteCurrency' | 'skipped'> {
  readonly tokens: readonly TokenBalance[];
  readonly completeness?: Completeness | undefined;
  /** Reasons besides those of `completeness`, as text. */
  readonly notes?: readonly string[];
}

/** One way to fetch tokens. */
interface TokensProvider {
  readonly name: ProviderId;
  /** @throws AppError `notServed` if the next provider is to be tried. */
  fetch(address: Address, options: TokensOptions): Promise<TokensResult>;
}

interface TokensOptions {
  readonly quoteCurrency: QuoteCurrency;
  readonly signal: AbortSignal;
}

/**
 * The providers of the command line in the order of preference. @throws AppError `badInput` for a data API without
 * its key.
 */
function createTokensProviders(line: CommandLine, context: CliContext): readonly TokensProvider[] {
  const { http } = context;
  const { rpcUrl } = line;
  const usesDataApi = line.dataApiUrl !== undefined || rpcUrl === undefined;
  return [
    ...(usesDataApi ? [createDataApiProvider(line, context)] : []),
    ...(rpcUrl === undefined
      ? []
      : [createExplorerProvider(http, rpcUrl), createCallsProvider(http, rpcUrl, line)]),
  ];
}

function createDataApiProvider(line: CommandLine, { http, env, output }: CliContext): TokensProvider {
  const client = createDataApiClient({ ...http, ...readDataApiOptions(line, env) });
  return {
    name: 'dataApi',
    fetch(address, options) {
      const request = client.tokenBalances(address, options);
      request.catch((error: unknown) => {
        // The key may have been in the wrong place.
        if (line.keyIn === 'header' && isAppError(error, 'unauthorized', 'forbidden'))
          output.printMessage(
            'The key was sent in a header. If this server accepts it only in the URL, remove --key-in header.',
          );
      });
      return request;
    },
  };
}

function readDataApiOptions({ chainId, dataApiUrl, keyEnv, keyIn }: CommandLine, env: Env) {
  if (dataApiUrl === undefined) {
    throw badInput(
      'data-api',
      'No provider is set. Set an explorer with --rpc URL, or a data API with --data-api URL.',
    );
  }
  if (chainId === undefined)
    throw badInput('chain-id', 'The data API needs a chain. Set it with --chain-id N.');
  if (keyEnv === undefined) {
    throw badInput('key-env', 'The data API needs a key. Name its environment variable with --key-env NAME.');
  }
  const key = env[keyEnv];
  if (!key) throw badInput('key-env', englishMessage`The environment variable ${keyEnv} is not set.`);
  return { baseUrl: dataApiUrl, chainId, key, keyIn: keyIn === 'auto' ? createKeyPlaceFinder() : keyIn };
}

function createExplorerProvider(http: HttpDeps, rpcUrl: string): TokensProvider {
  return {
    name: 'explorer',
    async fetch(address, options) {
      const holdings = await openEndpointProvider(http, 'holdings', { rpcUrl, signal: options.signal });
      if (!holdings) throw new AppError('notServed', 'The endpoint is not an explorer.');
      return await holdings.tokenBalances(address, options);
    },
  };
}

function createCallsProvider(http: HttpDeps, rpcUrl: string, { tokens }: CommandLine): TokensProvider {
  return {
    name: 'calls',
    fetch: (address, { signal }) => fetchTokensByCalls({ ...http, url: rpcUrl }, { address, tokens, signal }),
  };
}

/** Fetches the native balance and those of the given tokens from the node itself. */
export async function fetchTokensByCalls(
  endpoint: HttpDeps & { readonly url: string },
  options: { readonly address: Address; readonly tokens: readonly Address[]; readonly signal: AbortSignal },
): Promise<TokensResult> {
  const { address, tokens, signal } = options;
  const client = createChainClient(endpoint);
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
  const tokenBalances = tokens.map((token, index) =>
    toTokenBalance(token, balances[index] ?? { state: 'notAToken' }),
  );
  const coinNotes = native.state === 'known' ? [] : ['The endpoint does not report the native balance.'];
  const notes = tokens.flatMap((token, index) => {
    const { state } = balances[index] ?? { state: 'notAToken' };
    if (state === 'known') return [];
    return [
      state === 'notOffered' ? 'The endpoint does not offer eth_call.' : `${token} is not an ERC-20 token.`,
    ];
  });
  return {
    quoteCurrency: 'USD',
    skipped: 0,
    tokens: [...coin, ...tokenBalances].filter((token) => token !== undefined),
    completeness: { ...toCompleteness([]), state: 'uncertain' },
    notes: [
      'No provider lists tokens. Only the tokens of --token are read.',
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
