import type * as vscode from 'vscode';
import { registerCommand } from '../../host/commands/commands.ts';
import { Disposables } from '../../host/disposables.ts';
import type { NetworkDeps } from './deps.ts';
import { selectNetwork } from './selectNetwork.ts';

/** Choosing and adding networks, and the data API key; what is rarely done is loaded when it is. */
export function registerNetwork(deps: NetworkDeps): vscode.Disposable {
  const disposables = new Disposables();
  disposables.add(registerCommand('chainside.selectNetwork', (id) => selectNetwork(deps, id)));
  disposables.add(
    registerCommand('chainside.addNetwork', async () => (await import('./addNetwork.ts')).addNetwork(deps)),
  );
  disposables.add(
    registerCommand('chainside.setApiKey', async () => (await import('./apiKey.ts')).setApiKey(deps)),
  );
  disposables.add(
    registerCommand('chainside.forgetApiKey', async () => (await import('./apiKey.ts')).forgetApiKey(deps)),
  );
  return disposables;
}
