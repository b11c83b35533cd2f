import * as vscode from 'vscode';
import { createImportResolver, parseLayout, type SourceFiles } from '../../core/index.ts';
import { readTextFile } from '../workspace/listFiles.ts';

/** The folder of the workspace that a source is in, and where imports lead there. */
export interface SourceProject {
  /** Paths begin here. */
  readonly root: vscode.Uri;
  readonly resolve: SourceFiles['resolve'];
}

/** Above a source; deeper ones have the rules of the workspace's folder. */
const MOST_FOLDERS = 12;

/**
 * The project of a source: its rules for imports are those of the innermost folder with `foundry.toml` or
 * `remappings.txt`. Undefined outside of the workspace, where no import is followed.
 */
export async function sourceProject(uri: vscode.Uri): Promise<SourceProject | undefined> {
  const root = vscode.workspace.getWorkspaceFolder(uri)?.uri;
  if (!root) return undefined;
  const folders = foldersAbove(pathFrom(root, uri));
  for (const folder of folders) {
    const [foundryToml, remappingsTxt] = await Promise.all(
      ['foundry.toml', 'remappings.txt'].map((name) => readTextFile(vscode.Uri.joinPath(root, folder, name))),
    );
    if (!foundryToml && !remappingsTxt) continue;
    return { root, resolve: resolverOf({ foundryToml: foundryToml || undefined, remappingsTxt }, folder) };
  }
  return { root, resolve: resolverOf({}, '') };
}

function resolverOf(files: Parameters<typeof parseLayout>[0], folder: string): SourceFiles['resolve'] {
  const { remappings, libs } = parseLayout(files);
  return createImportResolver({ remappings, libs, folder });
}

/** The path of a file from a folder of the workspace on. */
export function pathFrom(root: vscode.Uri, uri: vscode.Uri): string {
  return uri.path.slice(root.path.length).replace(/^\//, '');
}

function foldersAbove(path: string): readonly string[] {
  const folders: string[] = [];
  let folder = path;
  while (folder !== '' && folders.length < MOST_FOLDERS) {
    folder = folder.slice(0, Math.max(folder.lastIndexOf('/'), 0));
    folders.push(folder);
  }
  return folders;
}
