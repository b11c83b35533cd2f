import * as vscode from 'vscode';
import * as z from 'zod/mini';

const Place = z.object({
  file: z.string(),
  line: z.int().check(z.minimum(0)),
  character: z.int().check(z.minimum(0)),
});

/**
 * Asks anew for what the hover at a place says, which is open as one of its links was followed: the editor does so only
 * where the cursor stands, which is put back.
 *
 * @param hovered a `TextPlace`; nothing is done for what is none.
 */
export async function refreshHover(hovered: unknown): Promise<void> {
  const place = Place.safeParse(hovered).data;
  const editor = vscode.window.activeTextEditor;
  if (!place || editor?.document.uri.toString() !== place.file) return;
  if (place.line >= editor.document.lineCount) return;
  const { selections } = editor;
  const { line, character } = place;
  // What is shown for the same place is not asked for again.
  await vscode.commands.executeCommand('editor.action.hideHover');
  editor.selection = new vscode.Selection(line, character, line, character);
  await vscode.commands.executeCommand('editor.action.showHover', { focus: 'noAutoFocus' });
  editor.selections = selections;
}
