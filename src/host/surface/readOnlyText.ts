import * as vscode from 'vscode';
import { harmless } from './harmless.ts';

/** A line of a text; `level` says how far it is indented. An empty one parts paragraphs. */
export interface TextLine {
  readonly level: number;
  readonly text: string;
  /** Where a click on the line leads. */
  readonly place?: TextPlace | undefined;
}

/** A line of a file, from 0; the file as a URI. */
interface TextPlace {
  readonly file: string;
  readonly line: number;
}

/** A text in an editor tab that can be searched and copied, but not changed. */
export interface ReadOnlyText extends vscode.Disposable {
  /** Shows `lines` in the tab, which is opened beside the active one if it is not there. */
  show(lines: readonly TextLine[]): Promise<void>;
}

/** Digits of 16 KiB: a value of that length can still be copied as it is. */
const LONGEST_LINE = 33_000;
const MOST_LINES = 20_000;

/** The one text of a scheme, and what its tab is called. The editor opens it no more after a reload. */
export function openReadOnlyText(scheme: string, name: string): ReadOnlyText {
  const uri = vscode.Uri.from({ scheme, path: `/${name}` });
  const changed = new vscode.EventEmitter<vscode.Uri>();
  let text = '';
  let links: readonly vscode.DocumentLink[] = [];
  const provider = vscode.workspace.registerTextDocumentContentProvider(scheme, {
    onDidChange: changed.event,
    provideTextDocumentContent: () => text,
  });

  const linking = vscode.languages.registerDocumentLinkProvider(
    { scheme },
    { provideDocumentLinks: () => [...links] },
  );

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
      const shown = lines.slice(0, MOST_LINES);
      const texts = shown.map(written);
      text = texts.join('\n');
      links = shown.flatMap(({ level, place }, line) =>
        place ? [linkTo(place, new vscode.Range(line, indentOf(level), line, texts[line]?.length ?? 0))] : [],
      );
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
        preview: false,
        viewColumn: columnOf(uri) ?? freeColumn(),
        selection: new vscode.Range(start, start),
      });
      editor.revealRange(new vscode.Range(start, start));
    },
    dispose() {
      provider.dispose();
      linking.dispose();
      changed.dispose();
    },
  };
}

function written({ level, text }: TextLine): string {
  const words = harmless(text, LONGEST_LINE);
  return words === '' ? '' : `${' '.repeat(indentOf(level))}${words}`;
}

function indentOf(level: number): number {
  return 2 * level;
}

/** The editor goes to the line that the fragment names. */
function linkTo({ file, line }: TextPlace, range: vscode.Range): vscode.DocumentLink {
  return new vscode.DocumentLink(range, vscode.Uri.parse(file).with({ fragment: `L${line + 1}` }));
}

/** Beside what is in front, if anything is. */
function freeColumn(): vscode.ViewColumn {
  const { activeTab } = vscode.window.tabGroups.activeTabGroup;
  return activeTab === undefined ? vscode.ViewColumn.Active : vscode.ViewColumn.Beside;
}

/** Where it is shown already. */
function columnOf(uri: vscode.Uri): vscode.ViewColumn | undefined {
  const groups = vscode.window.tabGroups.all;
  return groups.find(({ tabs }) =>
    tabs.some(({ input }) => input instanceof vscode.TabInputText && input.uri.toString() === uri.toString()),
  )?.viewColumn;
}
