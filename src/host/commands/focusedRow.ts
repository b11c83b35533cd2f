import * as vscode from 'vscode';

/**
 * The row of the view in front that a key is meant for. The editor tells which rows are selected, not which one has the focus,
 * which the arrow keys move alone: it is the one that its command adds to the selection, or takes out of it.
 */
export async function focusedRow<T>(
  view: Pick<vscode.TreeView<T>, 'selection'>,
  idOf: (row: T) => string,
): Promise<T | undefined> {
  const before = view.selection;
  await vscode.commands.executeCommand(TOGGLE);
  const after = view.selection;
  const isIn = (rows: readonly T[], row: T) => rows.some((other) => idOf(other) === idOf(row));
  const row = after.find((one) => !isIn(before, one)) ?? before.find((one) => !isIn(after, one));
  if (row) await vscode.commands.executeCommand(TOGGLE);
  return row;
}

const TOGGLE = 'list.toggleSelection';
