import type * as vscode from 'vscode';
import { registerCommand } from '../../host/commands.ts';
import { Disposables } from '../../host/disposables.ts';
import { registerCompletions } from '../../host/ui/languageFeatures.ts';
import type { NetworkDeps } from './secretInput.ts';

/** Registers the commands on networks and keys. Each is loaded when it runs. */
export function registerNetwork(deps: NetworkDeps): vscode.Disposable {
  const disposables = new Disposables();
  disposables.add(
    registerCommand('chainside.selectNetwork', async (id) =>
      (await import('./selectNetwork.ts')).selectNetwork(deps, id),
    ),
  );
  disposables.add(
    registerCommand('chainside.addNetwork', async (start) =>
      (await import('./addNetwork.ts')).startAddNetwork(deps, start),
    ),
  );
  disposables.add(
    registerCommand('chainside.editNetwork', async (which) =>
      (await import('./editNetwork.ts')).editNetwork(deps, which),
    ),
  );
  disposables.add(
    registerCommand('chainside.removeNetwork', async (which) =>
      (await import('./editNetwork.ts')).removeNetwork(deps, which),
    ),
  );
  disposables.add(
    registerCommand('chainside.setEndpointSecret', async (which) =>
      (await import('./endpointSecret.ts')).setEndpointSecret(deps, which),
    ),
  );
  disposables.add(
    registerCommand('chainside.forgetEndpointSecret', async (which) =>
      (await import('./endpointSecret.ts')).forgetEndpointSecret(deps, which),
    ),
  );
  disposables.add(
    registerCommand('chainside.setApiKey', async () => (await import('./apiKey.ts')).setApiKey(deps)),
  );
  disposables.add(
    registerCommand('chainside.forgetApiKey', async () => (await import('./apiKey.ts')).forgetApiKey(deps)),
  );
  disposables.add(
    registerCompletions(
      ['**/settings.json', '**/*.code-workspace'].map((pattern) => ({ language: 'jsonc', pattern })),
      async (document, position) =>
        (await import('./settingCompletion.ts')).completeNetworkId(deps, document, position),
      ['"'],
    ),
  );
  return disposables;
}
