import type * as vscode from 'vscode';

/** The name of a file, without its folder. */
export function fileName({ path }: vscode.Uri): string {
  return path.slice(path.lastIndexOf('/') + 1);
}
