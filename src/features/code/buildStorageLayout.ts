import * as vscode from 'vscode';
import * as z from 'zod/mini';
import type { WorkspaceContracts } from '../../host/contracts/workspaceContracts.ts';
import { runInTerminal } from '../../host/ui/window.ts';
import { findContract } from './codeTarget.ts';

const text = z.string().check(z.maxLength(1_000));
const Argument = z.object({ contract: text, source: z.optional(text), artifact: z.optional(text) });

/** What is run; also the text of the link to it. */
export const LAYOUT_COMMAND = 'forge build --extra-output storageLayout';

/** Builds the project of a contract with storage layouts, in a terminal that the user sees. Only in a trusted workspace. */
export async function buildStorageLayout(argument: unknown, contracts: WorkspaceContracts): Promise<void> {
  const given = Argument.safeParse(argument).data;
  if (!given || !vscode.workspace.isTrusted) return;
  const contract = findContract(await contracts.index(), { ...given, name: given.contract });
  const config =
    contract && contracts.uriOf(`${contract.project === '' ? '' : `${contract.project}/`}foundry.toml`);
  if (!config) return;
  runInTerminal(LAYOUT_COMMAND, { name: 'forge build', cwd: vscode.Uri.joinPath(config, '..') });
}
