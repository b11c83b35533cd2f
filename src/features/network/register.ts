import type * as vscode from 'vscode';
import { registerCommand } from '../../host/commands.ts';
import { Disposables } from '../../host/disposables.ts';
import { addNetwork } from './addNetwork.ts';
import { forgetApiKey, setApiKey } from './apiKey.ts';
import type { NetworkDeps } from './deps.ts';
import { selectNetwork } from './selectNetwork.ts';

/** Choosing and adding networks, and the data API key. */
export function registerNetwork(deps: NetworkDeps): vscode.Disposable {
  const disposables = new Disposables();
  disposables.add(registerCommand('chainside.selectNetwork', (id) => selectNetwork(deps, id)));
  disposables.add(registerCommand('chainside.addNetwork', () => addNetwork(deps)));
  disposables.add(registerCommand('chainside.setApiKey', () => setApiKey(deps)));
  disposables.add(registerCommand('chainside.forgetApiKey', () => forgetApiKey(deps)));
  return disposables;
}
