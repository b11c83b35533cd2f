import assert from 'node:assert/strict';
import { type TextDocument, Uri, workspace } from 'vscode';

/** Creates a folder in the workspace. */
export async function createWorkspaceFolder(name: string): Promise<Uri> {
  const root = workspace.workspaceFolders?.[0]?.uri ?? assert.fail('No folder is open.');
  const folder = Uri.joinPath(root, name);
  await workspace.fs.createDirectory(folder);
  return folder;
}

/** A folder in the workspace for the tests of a suite, with these files. */
export function useWorkspaceFolder(name: string, files: Readonly<Record<string, string>> = {}) {
  let folder: Uri;
  let opened = 0;
  before(async () => {
    folder = await createWorkspaceFolder(name);
    for (const [path, text] of Object.entries(files)) await write(path, text);
  });
  after(() => workspace.fs.delete(folder, { recursive: true }));
  const uri = (path: string) => Uri.joinPath(folder, path);
  async function write(path: string, text: string): Promise<void> {
    await workspace.fs.writeFile(uri(path), new TextEncoder().encode(text));
  }
  /** A file of its own: the editor gives the name of an unsaved text that was closed to the next one. */
  async function open(content: string, extension = 'txt'): Promise<TextDocument> {
    const path = `text-${++opened}.${extension}`;
    await write(path, content);
    return workspace.openTextDocument(uri(path));
  }
  return { uri, write, open };
}
