import * as vscode from 'vscode';
import { escapeUiText } from './untrustedText.ts';

/** A line of a text; `level` says how far it is indented. An empty one parts paragraphs. */
export interface TextLine {
  readonly level: number;
  readonly text: string;
  /** Where a click on the line leads. */
  readonly place?: TextLinkTarget | undefined;
}

/** A line of a file, from 0; the file as a URI. */
interface TextLinkTarget {
  readonly file: string;
  readonly line: number;
}

/** A text in an editor tab that can be searched and copied, but not changed. */
export interface ReadOnlyDocument extends vscode.Disposable {
  /** Shows `lines` in the tab, which is opened beside the active one if it is not there. */
  show(lines: readonly TextLine[]): Promise<void>;
}

/** Digits of 16 KiB: a value of that length can still be copied as it is. */
const MAX_LINE_CHARS = 33_000;
const MAX_LINES = 20_000;

/** The one text of a scheme, and what its tab is called. The editor opens it no more after a reload. */
export function openReadOnlyDocument(scheme: string, name: string): ReadOnlyDocument {
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
      const shown = lines.slice(0, MAX_LINES);
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
  const words = escapeUiText(text, MAX_LINE_CHARS);
  return words === '' ? '' : `${' '.repeat(indentOf(level))}${words}`;
}

function indentOf(level: number): number {
  return 2 * level;
}

/** The editor goes to the line that the fragment names. */
function linkTo({ file, line }: TextLinkTarget, range: vscode.Range): vscode.DocumentLink {
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

/** Shows a line of a file, from 0, in an editor: in one that is in sight already, as code beside a panel is. */
export async function showFileLocation({
  uri,
  line,
}: {
  readonly uri: vscode.Uri;
  readonly line: number;
}): Promise<void> {
  const start = new vscode.Position(Math.max(0, line), 0);
  const { activeTextEditor, visibleTextEditors } = vscode.window;
  const shown = [activeTextEditor, ...visibleTextEditors].find(
    (editor) => editor?.document.uri.toString() === uri.toString(),
  );
  await vscode.window.showTextDocument(uri, {
    selection: new vscode.Range(start, start),
    viewColumn: shown?.viewColumn ?? vscode.ViewColumn.Active,
  });
}

/** A line of a file, from 0. */
interface DefinitionLocation {
  readonly uri: vscode.Uri;
  readonly line: number;
}

/** Has the editor go from what stands in documents of a scheme to where it is declared. */
export function registerDefinitionProvider(
  scheme: string,
  find: (
    document: vscode.TextDocument,
    position: vscode.Position,
    token: vscode.CancellationToken,
  ) => Promise<readonly DefinitionLocation[]>,
): vscode.Disposable {
  return vscode.languages.registerDefinitionProvider(
    { scheme },
    {
      async provideDefinition(document, position, token) {
        const places = await find(document, position, token);
        return places.map(({ uri, line }) => new vscode.Location(uri, new vscode.Position(line, 0)));
      },
    },
  );
}

/** A file of a source, by its path in the source's folder. */
interface SourceFile {
  readonly path: string;
  readonly text: string;
}

/** A source that somebody else keeps. */
export interface SourceFolder {
  /** As they are shown. */
  readonly files: readonly SourceFile[];
  uriOf(path: string): vscode.Uri;
}

/** Sources in editor tabs that can be read, searched and copied, but not changed. */
export interface SourceTabs extends vscode.Disposable {
  /** Keeps a source for tabs that are opened. Those that were added last are kept. */
  add(at: { readonly host: string; readonly folder: string }, files: readonly SourceFile[]): SourceFolder;
  /** The source that a tab is of, and its path there; undefined for one that is not kept. */
  find(uri: vscode.Uri): { readonly folder: SourceFolder; readonly path: string } | undefined;
}

/** Of all sources that are kept; tabs of others show what the editor says of a file that is not there. */
const MAX_SOURCE_CHARS = 32 * 1024 * 1024;
const HIDDEN_CHARS = /[\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}\u2028\u2029\u2800]/gu;
const LAYOUT_CHARS: ReadonlySet<string> = new Set(['\t', '\n']);

/**
 * Texts under a scheme of their own. What is hidden in them becomes visible, as `<U+202E>`, and all lines end alike;
 * all else stays as it is.
 */
export function openSourceTabs(scheme: string): SourceTabs {
  const kept = new Map<string, SourceFolder>();

  function find(uri: vscode.Uri) {
    for (const [root, folder] of kept) {
      const whole = `${uri.authority}${uri.path}`;
      if (whole.startsWith(root)) return { folder, path: whole.slice(root.length) };
    }
    return undefined;
  }

  const provider = vscode.workspace.registerTextDocumentContentProvider(scheme, {
    provideTextDocumentContent(uri) {
      const { folder, path } = find(uri) ?? {};
      const file = folder?.files.find((one) => one.path === path);
      if (!file) throw vscode.FileSystemError.FileNotFound(uri);
      return file.text;
    },
  });

  return {
    find,
    add({ host, folder: name }, files) {
      const folder: SourceFolder = {
        files: files.map(({ path, text }) => ({ path, text: visible(text) })),
        uriOf: (path) => vscode.Uri.from({ scheme, authority: host, path: `/${name}/${path}` }),
      };
      const root = `${host}/${name}/`;
      kept.delete(root);
      kept.set(root, folder);
      let room = MAX_SOURCE_CHARS;
      for (const [each, { files: all }] of [...kept].reverse()) {
        room -= all.reduce((sum, { text }) => sum + text.length, 0);
        if (room < 0 && each !== root) kept.delete(each);
      }
      return folder;
    },
    dispose: () => provider.dispose(),
  };
}

function visible(text: string): string {
  return text.replace(/\r\n?/g, '\n').replace(HIDDEN_CHARS, (found) => {
    if (LAYOUT_CHARS.has(found)) return found;
    const code = (found.codePointAt(0) ?? 0).toString(16).toUpperCase();
    return `<U+${code.padStart(4, '0')}>`;
  });
}
