import {
  badInput,
  type Completeness,
  formatCompletenessReason,
  type HttpDeps,
  isAppError,
  MAX_LIST_ITEMS,
  parseQuoteCurrency,
  quoteCurrencies,
  requireAddress,
  type TokenBalance,
} from '../core/index.ts';
import type { CommandLine } from './line/commandLine.ts';
import { printLines, say } from './line/output.ts';
import type { TokensRead } from './tokensByCalls.ts';
import { type TokensSource, tokensSources } from './tokensSources.ts';

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
  const { source, read } = await firstServed(tokensSources(http, line), (asked) =>
    asked.read(address, { quoteCurrency, signal }),
  );
  const tokens = read.tokens.filter((token) => !isNft(token));
  const currency = read.quoteCurrency;
  await printLines(tokens.map((token) => tokenToJson(token, currency)));
  const { state, reasons } = verdictOf(read);
  await printLines([{ holdings: { source, state, reasons, tokens: tokens.length } }]);
  say(`${tokens.length} tokens of ${address}: ${state}`);
  const collections = read.tokens.length - tokens.length;
  if (collections > 0) say(`${collections} NFT collections are no lines here`);
  for (const reason of reasons) say(`- ${reason}`);
  if (currency !== quoteCurrency) say(`values are in ${currency}, which the source prices in`);
}

/** Passes on to the next source what one does not serve. */
async function firstServed<T>(
  sources: readonly TokensSource[],
  ask: (source: TokensSource) => Promise<T>,
): Promise<{ readonly source: TokensSource['name']; readonly read: T }> {
  const [first, ...others] = sources;
  if (!first)
    throw badInput('rpc', 'Give an explorer or a node with --rpc URL, or a data API with --data-api URL.');
  try {
    return { source: first.name, read: await ask(first) };
  } catch (error) {
    if (others.length === 0 || !isAppError(error, 'notServed')) throw error;
    say(`${first.name} does not serve this: ${error.message}`);
    return await firstServed(others, ask);
  }
}

function isNft({ standard, nfts }: TokenBalance): boolean {
  return standard === 'erc721' || standard === 'erc1155' || nfts !== undefined;
}

function verdictOf({ completeness, notes = [], skipped }: TokensRead): {
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
