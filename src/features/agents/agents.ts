import type * as vscode from 'vscode';
import { abortSignalOf } from '../../host/commands/progress.ts';
import type { ServerProgram, ToolQuestion } from '../../host/surface/agents/agents.ts';
import { type McpDeps, mcpPrograms, mcpSecrets } from './mcpProgram.ts';
import { askFor, type OpenQueryDeps, runOpenQuery } from './openQueryTool.ts';

export interface AgentsDeps extends McpDeps, OpenQueryDeps {}

interface Agents {
  programs(): Promise<readonly ServerProgram[]>;
  secrets(args: readonly string[]): Promise<Readonly<Record<string, string>>>;
  ask(input: unknown): Promise<ToolQuestion>;
  run(input: unknown, token: vscode.CancellationToken): Promise<unknown>;
}

export function openAgents(deps: AgentsDeps): Agents {
  return {
    programs: () => mcpPrograms(deps),
    secrets: (args) => mcpSecrets(args, deps),
    ask: (input) => askFor(input, deps),
    run: (input, token) => runOpenQuery(input, deps, { signal: abortSignalOf(token) }),
  };
}
