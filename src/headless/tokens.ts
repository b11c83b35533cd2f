import {
  badInput,
  createDataApiClient,
  type HttpDeps,
  isAppError,
  MOST_ITEMS,
  parseQuoteCurrency,
  quoteCurrencies,
  requireAddress,
  type TokenBalance,
} from '../core/index.ts';
import type { CommandLine } from './commandLine.ts';
import { printLines, say } from './output.ts';

/** Prints the token balances of an address, one a line. */
export async function printTokens(
  http: HttpDeps,
  line: CommandLine,
  { signal }: { readonly signal: AbortSignal },
): Promise<void> {
  const address = requireAddress(line.subject);
  const client = createDataApiClient({ ...http, ...dataApiOf(line) });
  const quoteCurrency = parseQuoteCurrency(line.quoteCurrency);
  if (!quoteCurrency) {
    throw badInput('quote-currency', `--quote-currency takes one of ${quoteCurrencies.join(', ')}.`);
  }
  const read = client.tokenBalances(address, { quoteCurrency, signal });
  read.catch((error: unknown) => sayKeyPlace(error, line));
  const { tokens, skipped, ...head } = await read;
  await printLines(tokens.map((token) => tokenToJson(token, head.quoteCurrency)));
  say(`${tokens.length} tokens of ${address}`);
  if (skipped > 0)
    say(`${skipped} entries of the answer are left out: not readable, or beyond the first ${MOST_ITEMS}`);
}

/** Where the key may have been in the wrong place, says what to try. */
function sayKeyPlace(error: unknown, { keyIn }: CommandLine): void {
  if (keyIn === 'header' && isAppError(error, 'unauthorized', 'forbidden')) {
    say('The key was sent in a header. If this server takes it in the URL only, use --key-in query.');
  }
}

function dataApiOf({ chainId, dataApiUrl, keyEnv, keyIn }: CommandLine) {
  if (chainId === undefined) throw badInput('chain-id', 'Give the chain with --chain-id N.');
  if (dataApiUrl === undefined) throw badInput('data-api', 'Give the data API with --data-api URL.');
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
