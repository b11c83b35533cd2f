import type * as vscode from 'vscode';
import type { ChainsideApi, ChainsideNetwork } from '../api.d.ts';
import { lazy, type Network } from '../core/index.ts';
import type { SessionOperationsDeps } from '../host/sessionOperations.ts';
import type { SettingsService } from '../host/settings/settings.ts';

/** The API for other extensions, over the same session as the views. */
export function createPublicApi(
  deps: SessionOperationsDeps & { readonly settings: SettingsService },
): ChainsideApi {
  const { session } = deps;
  const answers = lazy(async () => (await import('./apiRequests.ts')).createApiRequests(deps));
  return {
    version: 2,
    get network() {
      return describe(session.network);
    },
    get isNetworkChosen() {
      return session.isChosen;
    },
    onDidChangeNetwork: (listener): vscode.Disposable =>
      session.onDidChange(({ network }) => {
        listener(describe(network));
      }),
    latestBlock: async () => (await answers()).latestBlock(),
    nativeBalance: async (address) => (await answers()).nativeBalance(address),
    tokenBalances: async (address) => (await answers()).tokenBalances(address),
    ask: async (operation, input, options) => (await answers()).ask(operation, input, options),
    queryLogs(filter, options) {
      // Of the network that is active now, whenever the first page is asked for.
      const { connection } = session;
      return (async function* pages() {
        yield* (await answers()).logPages(connection, filter, options);
      })();
    },
  };
}

function describe({ id, name, chainId, symbol, decimals }: Network): ChainsideNetwork {
  return { id, name, chainId, symbol, decimals };
}
