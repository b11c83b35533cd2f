import * as vscode from 'vscode';
import { harmless } from './harmless.ts';

/** A line of a text; `level` says how far it is indented. An empty one parts paragraphs. */
export interface TextLine {
  readonly level: number;
  readonly text: string;
}

/** A text in an editor tab that can be searched and copied, but not changed. */
export interface ReadOnlyText extends vscode.Disposable {
  /** Shows `lines` in the tab, which is opened beside the active one if it is not there. */
  show(lines: readonly TextLine[]): Promise<void>;
}

/** Digits of 16 KiB: a value of that length can still be copied as it is. */
const LONGEST_LINE = 33_000;
const MOST_LINES = 20_000;

/**
 * The one text of a scheme. After a reload the editor asks for it again; then it is `words`.
 *
 * @param name of the tab.
 */
export function registerReadOnlyText(scheme: string, name: string, words: () => string): ReadOnlyText {
  const uri = vscode.Uri.from({ scheme, path: `/${name}` });
  const changed = new vscode.EventEmitter<vscode.Uri>();
  let text: string | undefined;
  const provider = vscode.workspace.registerTextDocumentContentProvider(scheme, {
    onDidChange: changed.event,
    provideTextDocumentContent: () => text ?? harmless(words(), LONGEST_LINE),
  });

  /** An open document takes what has changed a little later. */
  function taken(document: vscode.TextDocument): Promise<void> {
    return new Promise((resolve) => {
      const listening = vscode.Disposable.from(
        vscode.workspace.onDidChangeTextDocument((event) => {
          if (event.document === document) done();
        }),
        vscode.workspace.onDidCloseTextDocument((closed) => {
          if (closed === document) done();
        }),
      );
      function done(): void {
        listening.dispose();
        resolve();
      }
    });
  }

  return {
    async show(lines) {
      text = lines.slice(0, MOST_LINES).map(written).join('\n');
      const opened = vscode.workspace.textDocuments.find(
        (document) => document.uri.toString() === uri.toString(),
      );
      if (opened && opened.getText() !== text) {
        const change = taken(opened);
        changed.fire(uri);
        await change;
      }
      const start = new vscode.Position(0, 0);
      const editor = await vscode.window.showTextDocument(uri, {
        viewColumn: columnOf(uri) ?? vscode.ViewColumn.Beside,
        selection: new vscode.Range(start, start),
      });
      editor.revealRange(new vscode.Range(start, start));
    },
    dispose() {
      provider.dispose();
      changed.dispose();
    },
  };
}

function written({ level, text }: TextLine): string {
  const words = harmless(text, LONGEST_LINE);
  return words === '' ? '' : `${'  '.repeat(level)}${words}`;
}

/** Where it is shown already. */
function columnOf(uri: vscode.Uri): vscode.ViewColumn | undefined {
  const groups = vscode.window.tabGroups.all;
  return groups.find(({ tabs }) =>
    tabs.some(({ input }) => input instanceof vscode.TabInputText && input.uri.toString() === uri.toString()),
  )?.viewColumn;
}
