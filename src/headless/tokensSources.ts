import {
  type Address,
  AppError,
  badInput,
  createDataApiClient,
  type HttpDeps,
  isAppError,
  type ProviderId,
  type QuoteCurrency,
} from '../core/index.ts';
import type { CommandLine } from './line/commandLine.ts';
import { openSource } from './line/openSource.ts';
import { say } from './line/output.ts';
import { type TokensRead, tokensByCalls } from './tokensByCalls.ts';

export interface TokensAsked {
  readonly quoteCurrency: QuoteCurrency;
  readonly signal: AbortSignal;
}

/** Who can be asked for tokens. */
export interface TokensSource {
  readonly name: ProviderId;
  /** @throws AppError `notServed` where the next one is to be asked. */
  read(address: Address, asked: TokensAsked): Promise<TokensRead>;
}

/**
 * Those whom the command line names, the preferred first. @throws AppError `badInput` for a data API without its key.
 */
export function tokensSources(http: HttpDeps, line: CommandLine): readonly TokensSource[] {
  const { rpcUrl } = line;
  const asksDataApi = line.dataApiUrl !== undefined || rpcUrl === undefined;
  return [
    ...(asksDataApi ? [dataApiSource(http, line)] : []),
    ...(rpcUrl === undefined ? [] : [explorerSource(http, rpcUrl), callsSource(http, rpcUrl, line)]),
  ];
}

function dataApiSource(http: HttpDeps, line: CommandLine): TokensSource {
  const client = createDataApiClient({ ...http, ...dataApiOf(line) });
  return {
    name: 'dataApi',
    read(address, asked) {
      const read = client.tokenBalances(address, asked);
      read.catch((error: unknown) => sayKeyPlace(error, line));
      return read;
    },
  };
}

function explorerSource(http: HttpDeps, rpcUrl: string): TokensSource {
  return {
    name: 'explorer',
    async read(address, asked) {
      const holdings = await openSource(http, 'holdings', { rpcUrl, signal: asked.signal });
      if (!holdings) throw new AppError('notServed', 'The endpoint is no explorer.');
      return await holdings.tokenBalances(address, asked);
    },
  };
}

function callsSource(http: HttpDeps, rpcUrl: string, { tokens }: CommandLine): TokensSource {
  return {
    name: 'calls',
    read: (address, { signal }) => tokensByCalls({ ...http, url: rpcUrl }, { address, tokens, signal }),
  };
}

/** Where the key may have been in the wrong place, says what to try. */
function sayKeyPlace(error: unknown, { keyIn }: CommandLine): void {
  if (keyIn === 'header' && isAppError(error, 'unauthorized', 'forbidden')) {
    say('The key was sent in a header. If this server takes it in the URL only, use --key-in query.');
  }
}

function dataApiOf({ chainId, dataApiUrl, keyEnv, keyIn }: CommandLine) {
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
