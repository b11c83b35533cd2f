import * as vscode from 'vscode';
import { badInput, MAX_HEX_DIGITS } from '../../core/index.ts';
import type { WorkspaceContracts } from '../../host/contracts/workspaceContracts.ts';
import { hexAt } from '../../host/places/findHex.ts';

/** The hex that is selected, or at the cursor. @throws AppError `badInput` where there is none. */
export function activeHex(): string {
  const editor = vscode.window.activeTextEditor;
  if (!editor) throw badInput('what', 'No file is open in an editor: use decode_data with the hex itself.');
  const { document, selection } = editor;
  const selected = document
    .getText(selection)
    .slice(0, MAX_HEX_DIGITS + 2)
    .trim();
  const whole = /^(?:0x)?((?:[0-9a-f]{2})+)$/i.exec(selected)?.[1];
  const found = whole ?? hexAt(document.lineAt(selection.active.line).text, selection.active.character)?.hex;
  if (found === undefined) {
    throw badInput('what', 'There is no hex in the selection or at the cursor. Ask the user to select it.');
  }
  return found.startsWith('0x') ? found : `0x${found}`;
}

/** The contracts that the open file declares. @throws AppError `badInput` where it declares none. */
export async function activeContracts(
  contracts: WorkspaceContracts,
): Promise<{ readonly file: string; readonly names: readonly string[] }> {
  const document = vscode.window.activeTextEditor?.document;
  if (!document) throw badInput('what', 'No file is open in an editor: use resolve_contract with a name.');
  const index = await contracts.index();
  const path = contracts.pathOf(document.uri);
  const declared = index.contracts.filter(({ source }) => source !== undefined && source === path);
  if (path === undefined || declared.length === 0) {
    throw badInput(
      'what',
      'The open file declares no contract that the workspace knows. Ask the user to open the source of one.',
    );
  }
  return { file: path, names: declared.map(({ name }) => name) };
}
