import * as vscode from 'vscode';
import { type MarkdownLines, markdownOf } from './markdown.ts';

/** What is shown about a part of a document. */
export interface HoverWords {
  readonly lines: MarkdownLines;
  readonly range: vscode.Range;
}

export function registerHover(
  selector: vscode.DocumentSelector,
  find: (
    document: vscode.TextDocument,
    position: vscode.Position,
    token: vscode.CancellationToken,
  ) => Promise<HoverWords | undefined>,
): vscode.Disposable {
  return vscode.languages.registerHoverProvider(selector, {
    async provideHover(document, position, token) {
      const found = await find(document, position, token);
      return found && new vscode.Hover(markdownOf(found.lines), found.range);
    },
  });
}
