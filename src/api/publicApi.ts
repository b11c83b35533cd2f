import type * as vscode from 'vscode';
import type { ChainsideApi, ChainsideNetwork } from '../api.d.ts';
import { lazy, type Network } from '../core/index.ts';
import type { SessionOperationsDeps } from '../host/sessionOperations.ts';
import type { SettingsService } from '../host/settings/settings.ts';

/** Creates the API for other extensions, over the same session as the views. */
export function createPublicApi(
  deps: SessionOperationsDeps & { readonly settings: SettingsService },
): ChainsideApi {
  const { session } = deps;
  const apiRequests = lazy(async () => (await import('./apiRequests.ts')).createApiRequests(deps));
  return {
    version: 2,
    get network() {
      return toApiNetwork(session.network);
    },
    get isNetworkChosen() {
      return session.isChosen;
    },
    onDidChangeNetwork: (listener): vscode.Disposable =>
      session.onDidChange(({ network }) => {
        listener(toApiNetwork(network));
      }),
    latestBlock: async () => (await apiRequests()).latestBlock(),
    nativeBalance: async (address) => (await apiRequests()).nativeBalance(address),
    tokenBalances: async (address) => (await apiRequests()).tokenBalances(address),
    ask: async (operation, input, options) => (await apiRequests()).ask(operation, input, options),
    queryLogs(filter, options) {
      // Uses the network that is active now, even if the first page is requested later.
      const { connection } = session;
      return (async function* pages() {
        yield* (await apiRequests()).logPages(connection, filter, options);
      })();
    },
  };
}

function toApiNetwork({ id, name, chainId, symbol, decimals }: Network): ChainsideNetwork {
  return { id, name, chainId, symbol, decimals };
}
