import * as vscode from 'vscode';
import { sanitizeText } from '../../core/index.ts';
import { lazyPart } from '../../host/commands.ts';
import { Disposables } from '../../host/disposables.ts';
import { registerMcpServers, registerTool } from '../../host/ui/agents.ts';
import type { AgentsDeps } from './agents.ts';

interface WithLog {
  readonly log: vscode.LogOutputChannel;
}

/** Registers an MCP server for the active network, and a language model tool that opens a query in the editor. */
export function registerAgents({ log, ...deps }: AgentsDeps & WithLog): vscode.Disposable {
  const { session } = deps;
  const disposables = new Disposables();
  const changed = disposables.add(new vscode.EventEmitter<void>());
  const notify = () => changed.fire();
  disposables.add(session.onDidChange(notify));
  disposables.add(session.onDidChangeSources(notify));
  disposables.add(vscode.workspace.onDidGrantWorkspaceTrust(notify));
  disposables.add(vscode.workspace.onDidChangeWorkspaceFolders(notify));
  const agents = lazyPart(async () => (await import('./agents.ts')).openAgents(deps));
  // Editors built on VS Code may report its version without these functions, or with ones that throw.
  const offer = (what: string, register: () => vscode.Disposable) => {
    try {
      disposables.add(register());
    } catch (error) {
      log.warn(`This editor offers no ${what}: ${sanitizeText(String(error), 200)}`);
    }
  };
  offer('MCP servers of extensions', () =>
    registerMcpServers('chainside.network', {
      onDidChange: changed.event,
      // Called at the start of the window: nothing is loaded if there is nothing to offer.
      programs: async () => (session.isChosen ? (await agents()).programs() : []),
      secrets: async (args) => (await agents()).secrets(args),
    }),
  );
  offer('tools of extensions', () =>
    registerTool('chainside_open_query', {
      ask: async (input) => (await agents()).ask(input),
      run: async (input, token) => (await agents()).run(input, token),
    }),
  );
  return disposables;
}
