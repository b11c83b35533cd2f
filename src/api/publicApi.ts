import type * as vscode from 'vscode';
import type { ChainsideApi, ChainsideLogPage, ChainsideNetwork } from '../api.d.ts';
import {
  type LogPage,
  type Network,
  nextPages,
  parseLogFilter,
  requireAddress,
  verdictToJson,
} from '../core/index.ts';
import type { Session } from '../host/session/session.ts';
import type { SettingsService } from '../host/settings/settings.ts';

/** The API for other extensions, over the same session as the views. */
export function createPublicApi(deps: {
  readonly session: Session;
  readonly settings: SettingsService;
}): ChainsideApi {
  const { session, settings } = deps;
  return {
    version: 1,
    get network() {
      return describe(session.network);
    },
    onDidChangeNetwork: (listener): vscode.Disposable =>
      session.onDidChange(({ network }) => {
        listener(describe(network));
      }),
    latestBlock: () => session.client.latestBlock({ signal: session.connection.signal }),
    async nativeBalance(address) {
      const { client, signal } = session.connection;
      const balance = await client.nativeBalance(requireAddress(address), { signal });
      return balance.state === 'known' ? balance.wei : undefined;
    },
    async tokenBalances(text) {
      const address = requireAddress(text);
      const { signal } = session.connection;
      const access = await session.holdings();
      if (access.state !== 'ready') return undefined;
      const { quoteCurrency } = settings.current;
      const { tokens } = await access.source.tokenBalances(address, { quoteCurrency, signal });
      return tokens.map(({ contract, native, symbol, name, decimals, amount }) => ({
        contract,
        native,
        symbol,
        name,
        decimals,
        amount,
      }));
    },
    queryLogs: (filter, signal) => logPages(session, filter, { signal }),
  };
}

async function* logPages(
  { connection: { client, signal: replaced } }: Session,
  filter: unknown,
  { signal: cancelled }: { readonly signal: AbortSignal | undefined },
): AsyncGenerator<ChainsideLogPage> {
  const query = client.openLogQuery(parseLogFilter(filter));
  const signal = cancelled ? AbortSignal.any([cancelled, replaced]) : replaced;
  for await (const page of nextPages(query, { signal })) yield describePage(page);
}

function describe({ id, name, chainId, symbol, decimals }: Network): ChainsideNetwork {
  return { id, name, chainId, symbol, decimals };
}

function describePage({ logs, verdict }: LogPage): ChainsideLogPage {
  const { fromBlock, toBlock, head } = verdict;
  const { state, reasons } = verdictToJson(verdict);
  return { logs, verdict: { state, fromBlock, toBlock, head, reasons } };
}
