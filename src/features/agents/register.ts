import * as vscode from 'vscode';
import { lazyPart } from '../../host/commands.ts';
import { Disposables } from '../../host/disposables.ts';
import { registerMcpServers, registerTool } from '../../host/ui/agents.ts';
import type { AgentsDeps } from './agents.ts';

/** What the editor's agents are offered: a server for the active network, and a tool for what needs the editor. */
export function registerAgents(deps: AgentsDeps): vscode.Disposable {
  const { session } = deps;
  const disposables = new Disposables();
  const changed = disposables.add(new vscode.EventEmitter<void>());
  const tell = () => changed.fire();
  disposables.add(session.onDidChange(tell));
  disposables.add(session.onDidChangeSources(tell));
  disposables.add(vscode.workspace.onDidGrantWorkspaceTrust(tell));
  disposables.add(vscode.workspace.onDidChangeWorkspaceFolders(tell));
  const agents = lazyPart(async () => (await import('./agents.ts')).openAgents(deps));
  disposables.add(
    registerMcpServers('chainside.network', {
      onDidChange: changed.event,
      // Asked for at the start of the window: where there is nothing to offer, nothing is loaded.
      programs: async () => (session.isChosen ? (await agents()).programs() : []),
      secrets: async (args) => (await agents()).secrets(args),
    }),
  );
  disposables.add(
    registerTool('chainside_open_query', {
      ask: async (input) => (await agents()).ask(input),
      run: async (input, token) => (await agents()).run(input, token),
    }),
  );
  return disposables;
}
