import * as vscode from 'vscode';
import { type RecordedVerdict, writeExpectation } from '../../core/index.ts';

/** Writes into a query file what its answer is to be, and nothing else; saves it where nothing else was unsaved. */
export async function updateExpectation(
  document: vscode.TextDocument,
  answer: RecordedVerdict,
): Promise<void> {
  const text = document.getText();
  const updated = writeExpectation(text, { path: document.uri.path, place: 0 }, answer);
  const { start, end } = changedPart(text, updated);
  const edit = new vscode.WorkspaceEdit();
  const range = new vscode.Range(document.positionAt(start), document.positionAt(text.length - end));
  edit.replace(document.uri, range, updated.slice(start, updated.length - end));
  const isSaved = !document.isDirty;
  if ((await vscode.workspace.applyEdit(edit)) && isSaved) await document.save();
}

/** How much of two texts is the same from the start, and from the end. */
function changedPart(a: string, b: string): { readonly start: number; readonly end: number } {
  const most = Math.min(a.length, b.length);
  let start = 0;
  while (start < most && a[start] === b[start]) start++;
  let end = 0;
  while (end < most - start && a[a.length - 1 - end] === b[b.length - 1 - end]) end++;
  return { start, end };
}
