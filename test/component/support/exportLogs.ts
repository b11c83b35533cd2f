import assert from 'node:assert/strict';
import { Utils } from 'vscode-uri';
import { waitUntil } from '../../../scripts/support/workbench/waitUntil.ts';
import type { Editor } from '../../support/vscode/editor.ts';

/** Exports the panel in front into a file of the open folder, by what is picked in the lists; gives its path. */
export async function exportLogs(editor: Editor, name: string, picks: readonly string[]): Promise<string> {
  const { user, api } = editor;
  const [folder = assert.fail('No folder is open.')] = api.workspace.workspaceFolders ?? [];
  user.saveAs = Utils.joinPath(folder.uri, name);
  user.picks.push(...picks);
  await editor.runCommand('chainside.exportLogs');
  const done = new RegExp(`^Exported [\\d,]+ logs to ${name}\\.`);
  await waitUntil(`${name} is written`, () => user.told.some((message) => done.test(message)));
  return user.saveAs.fsPath;
}
