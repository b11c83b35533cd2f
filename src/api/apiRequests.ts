import type { ChainsideApi, ChainsideLogOptions, ChainsideLogPage } from '../api.d.ts';
import {
  badInput,
  iteratePages,
  type LogPage,
  parseLogFilter,
  requireAddress,
  verdictToJson,
} from '../core/index.ts';
import type { Connection } from '../host/session/session.ts';
import { createSessionOperations, type SessionOperationsDeps } from '../host/sessionOperations.ts';
import type { SettingsService } from '../host/settings/settings.ts';

/** The part of the API for other extensions that sends requests. Loaded with the first one. */
export function createApiRequests(
  deps: SessionOperationsDeps & { readonly settings: SettingsService },
): ApiRequests {
  const { session, settings } = deps;
  const operations = createSessionOperations(deps);
  return {
    latestBlock: () => session.client.getBlockNumber({ signal: session.connection.signal }),
    async nativeBalance(address) {
      const { client, signal } = session.connection;
      const balance = await client.getBalance(requireAddress(address), { signal });
      return balance.state === 'known' ? balance.wei : undefined;
    },
    async tokenBalances(text) {
      const address = requireAddress(text);
      const { signal } = session.connection;
      const access = await session.provider('holdings');
      if (access.state !== 'ready') return undefined;
      const { quoteCurrency } = settings.current;
      const { tokens } = await access.provider.tokenBalances(address, { quoteCurrency, signal });
      return tokens.map(({ contract, native, symbol, name, decimals, amount }) => ({
        contract,
        native,
        symbol,
        name,
        decimals,
        amount,
      }));
    },
    ask: async (operation, input, { signal } = {}) => operations.run(operation, input, { signal }),
    logPages: fetchLogPages,
  };
}

export interface ApiRequests
  extends Pick<ChainsideApi, 'ask' | 'latestBlock' | 'nativeBalance' | 'tokenBalances'> {
  /** As `queryLogs` of the API, on one connection. */
  logPages(
    connection: Connection,
    filter: unknown,
    options: Parameters<ChainsideApi['queryLogs']>[1],
  ): AsyncGenerator<ChainsideLogPage>;
}

async function* fetchLogPages(
  { client, signal: connectionSignal }: Connection,
  filter: unknown,
  options: Parameters<ChainsideApi['queryLogs']>[1],
): AsyncGenerator<ChainsideLogPage> {
  const { signal: callerSignal, order } = readOptions(options);
  const query = client.openLogQuery(parseLogFilter(filter), { order });
  const signal = callerSignal ? AbortSignal.any([callerSignal, connectionSignal]) : connectionSignal;
  for await (const page of iteratePages(query, { signal })) yield toApiPage(page);
}

/** Other extensions may ignore the types. */
function readOptions(options: Parameters<ChainsideApi['queryLogs']>[1]): ChainsideLogOptions {
  if (!options) return {};
  if ('aborted' in options) return { signal: options };
  const { signal, order } = options;
  if (order !== undefined && order !== 'oldestFirst' && order !== 'newestFirst') {
    throw badInput('order', 'The order must be oldestFirst or newestFirst.');
  }
  return { signal, order };
}

function toApiPage({ logs, verdict }: LogPage): ChainsideLogPage {
  const { fromBlock, toBlock, head, order } = verdict;
  const { state, reasons } = verdictToJson(verdict);
  return { logs, verdict: { state, fromBlock, toBlock, head, order, reasons } };
}
