import * as vscode from 'vscode';
import { lazyPart } from '../../host/commands.ts';
import { Disposables } from '../../host/disposables.ts';
import { registerMcpServers, registerTool } from '../../host/ui/agents.ts';
import type { AgentsDeps } from './agents.ts';

/** Registers an MCP server for the active network, and a language model tool that opens a query in the editor. */
export function registerAgents(deps: AgentsDeps): vscode.Disposable {
  const { session } = deps;
  const disposables = new Disposables();
  const changed = disposables.add(new vscode.EventEmitter<void>());
  const notify = () => changed.fire();
  disposables.add(session.onDidChange(notify));
  disposables.add(session.onDidChangeSources(notify));
  disposables.add(vscode.workspace.onDidGrantWorkspaceTrust(notify));
  disposables.add(vscode.workspace.onDidChangeWorkspaceFolders(notify));
  const agents = lazyPart(async () => (await import('./agents.ts')).openAgents(deps));
  disposables.add(
    registerMcpServers('chainside.network', {
      onDidChange: changed.event,
      // Called at the start of the window: nothing is loaded if there is nothing to offer.
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
