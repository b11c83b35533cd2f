import type * as vscode from 'vscode';
import type { Clock } from '../../core/index.ts';
import type { WorkspaceContracts } from '../../host/contracts/workspaceContracts.ts';
import type { ChainDeps } from '../../host/session/chains.ts';

export interface QuestionsDeps extends ChainDeps {
  readonly contracts: WorkspaceContracts;
  readonly clock: Clock;
  readonly log: vscode.LogOutputChannel;
}
