import type * as vscode from 'vscode';

/**
 * Shows and selects a row. While the view is refreshed, the editor may not know the row and rejects the call: the row
 * is then not shown, and what follows goes on.
 */
export async function revealRow<T>(
  view: Pick<vscode.TreeView<T>, 'reveal'>,
  row: T,
  options: { readonly select?: boolean; readonly focus?: boolean; readonly expand?: boolean },
): Promise<void> {
  try {
    await view.reveal(row, options);
  } catch {
    // The view has no such row at the moment.
  }
}
