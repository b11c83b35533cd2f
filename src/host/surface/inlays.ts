import * as vscode from 'vscode';
import { harmless, harmlessLines, type Line } from './harmless.ts';

const LONGEST_LABEL = 40;
const LONGEST_LINE = 300;

/** Words that are shown behind a place of a text and are no part of it. */
export interface Inlay {
  readonly at: vscode.Position;
  readonly label: string;
  readonly tooltip: readonly Line[];
}

export function registerInlays(
  selector: vscode.DocumentSelector,
  onDidChangeInlayHints: vscode.Event<void>,
  find: (document: vscode.TextDocument, range: vscode.Range) => Promise<readonly Inlay[]>,
): vscode.Disposable {
  return vscode.languages.registerInlayHintsProvider(selector, {
    onDidChangeInlayHints,
    async provideInlayHints(document, range) {
      return (await find(document, range)).map(inlayHint);
    },
  });
}

function inlayHint({ at, label, tooltip }: Inlay): vscode.InlayHint {
  const hint = new vscode.InlayHint(at, harmless(label, LONGEST_LABEL));
  hint.paddingLeft = true;
  hint.tooltip = harmlessLines(tooltip, LONGEST_LINE);
  return hint;
}
