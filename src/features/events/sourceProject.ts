import * as vscode from 'vscode';
import { createImportResolver, type ImportRemapping, type SourceFiles } from '../../core/index.ts';
import { readTextFile } from '../../host/workspace/workspaceFiles.ts';

/** The folder of the workspace that a source is in, and where imports lead there. */
export interface SourceProject {
  /** Paths begin here. */
  readonly root: vscode.Uri;
  readonly resolve: SourceFiles['resolve'];
}

const LIBRARIES = ['lib', 'node_modules'];
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
    const texts = await Promise.all(
      ['remappings.txt', 'foundry.toml'].map((name) => readTextFile(vscode.Uri.joinPath(root, folder, name))),
    );
    if (texts.every((text) => text === '')) continue;
    const remappings = texts.flatMap(remappingsIn);
    return { root, resolve: createImportResolver({ remappings, libs: LIBRARIES, folder }) };
  }
  return { root, resolve: createImportResolver({ remappings: [], libs: LIBRARIES }) };
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

/** `prefix=target` in both files: no other value in `foundry.toml` has that form. */
function remappingsIn(text: string): readonly ImportRemapping[] {
  const pairs = text.matchAll(/([^\s"',=[\]#]{1,300})=([^\s"',=[\]#]{1,300})/g);
  return [...pairs].map(([, left = '', target = '']) => {
    const colon = left.indexOf(':');
    return { context: colon > 0 ? left.slice(0, colon) : undefined, prefix: left.slice(colon + 1), target };
  });
}
