import type { ChainsideApi, ChainsideLogOptions, ChainsideLogPage } from '../api.d.ts';
import {
  badInput,
  iteratePages,
  type LogPage,
  parseLogFilter,
  requireWrittenAddress,
  verdictToJson,
} from '../core/index.ts';
import { type Connection, notChosen } from '../host/session/session.ts';
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
      requireChosen(session.connection);
      const { client, signal } = session.connection;
      const balance = await client.getBalance(requireWrittenAddress(address), { signal });
      return balance.state === 'known' ? balance.wei : undefined;
    },
    async tokenBalances(text) {
      requireChosen(session.connection);
      const address = requireWrittenAddress(text);
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

/** Before input is read: without a network, nothing else matters. */
function requireChosen({ isChosen }: Connection): void {
  if (!isChosen) throw notChosen();
}

async function* fetchLogPages(
  connection: Connection,
  filter: unknown,
  options: Parameters<ChainsideApi['queryLogs']>[1],
): AsyncGenerator<ChainsideLogPage> {
  requireChosen(connection);
  const { client, signal: connectionSignal } = connection;
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
