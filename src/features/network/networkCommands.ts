import * as vscode from 'vscode';
import { registerCommand } from '../../host/commands.ts';
import type { EtherscanKeyDeps } from './etherscanKey.ts';

/** Registers the commands on networks and keys. Each is loaded when it runs. */
export function registerNetworkCommands(deps: EtherscanKeyDeps): vscode.Disposable {
  return vscode.Disposable.from(
    registerCommand('chainside.selectNetwork', async (id) =>
      (await import('./selectNetwork.ts')).selectNetwork(deps, id),
    ),
    registerCommand('chainside.addNetwork', async (start) =>
      (await import('./addNetwork.ts')).startAddNetwork(deps, start),
    ),
    registerCommand('chainside.editNetwork', async (which) =>
      (await import('./editNetwork.ts')).editNetwork(deps, which),
    ),
    registerCommand('chainside.removeNetwork', async (which) =>
      (await import('./editNetwork.ts')).removeNetwork(deps, which),
    ),
    registerCommand('chainside.setEndpointSecret', async (which) =>
      (await import('./endpointSecret.ts')).setEndpointSecret(deps, which),
    ),
    registerCommand('chainside.forgetEndpointSecret', async (which) =>
      (await import('./endpointSecret.ts')).forgetEndpointSecret(deps, which),
    ),
    registerCommand('chainside.setApiKey', async () => (await import('./apiKey.ts')).setApiKey(deps)),
    registerCommand('chainside.forgetApiKey', async () => (await import('./apiKey.ts')).forgetApiKey(deps)),
    registerCommand('chainside.setEtherscanKey', async (start) =>
      (await import('./etherscanKey.ts')).setEtherscanKey(deps, start),
    ),
    registerCommand('chainside.forgetEtherscanKey', async () =>
      (await import('./etherscanKey.ts')).forgetEtherscanKey(deps),
    ),
  );
}
