import * as vscode from 'vscode';
import type { CommandId } from '../../manifest.ts';
import { findChainLinks } from '../places/chainLinks.ts';
import { isOwnTab } from './panels.ts';
import { escapeUiText } from './untrustedText.ts';
import type { VirtualFileChanges } from './virtualFiles.ts';

/**
 * Serves the documents of a scheme.
 *
 * @param restorable without it, the tabs of these documents close when the window is reloaded.
 */
export function openReadOnlyDocuments(scheme: string, restorable?: RestorableDocuments): RestoredDocuments {
  /** What is shown, by URI. */
  const pages = new Map<string, RenderedPage>();
  /** Pages that lack what the document is about. */
  const incomplete = new Set<string>();
  const styles = createStyles();
  const changed = new vscode.EventEmitter<vscode.Uri>();
  let opened = 0;

  function notifyChange(uri: vscode.Uri): void {
    restorable?.files.fire([{ type: vscode.FileChangeType.Changed, uri }]);
    changed.fire(uri);
  }

  /** The same title and content is shown once; with a key, the newest content of it. */
  function findUri({ title, key }: DocumentPage, text: string): vscode.Uri {
    const path = `${FOLDER}${escapeUiText(title, MAX_TITLE_CHARS).replaceAll('/', ' ')}`;
    const isEqual = ([uri, page]: readonly [string, RenderedPage]) =>
      page.text === text && vscode.Uri.parse(uri).path === path;
    const equal = key === undefined ? [...pages].find(isEqual) : undefined;
    return equal
      ? vscode.Uri.parse(equal[0])
      : vscode.Uri.from({ scheme, path, query: key ?? `${++opened}` });
  }

  function decorate(editors: readonly vscode.TextEditor[]): void {
    for (const editor of editors) {
      const page = pages.get(editor.document.uri.toString());
      if (!page) continue;
      for (const [style, type] of styles) editor.setDecorations(type, [...(page.ranges.get(style) ?? [])]);
    }
  }

  async function read(uri: vscode.Uri): Promise<string> {
    const id = uri.toString();
    const shown = pages.get(id);
    if (shown || !restorable) return shown?.text ?? '';
    const { lines, isIncomplete = false } = await restorable.restore(uri.query);
    // The user may have opened it meanwhile.
    const page = pages.get(id) ?? renderPage(lines);
    if (!pages.has(id) && isIncomplete) incomplete.add(id);
    pages.set(id, page);
    return page.text;
  }

  const disposables = vscode.Disposable.from(
    changed,
    ...styles.values(),
    ...(restorable
      ? []
      : [
          vscode.workspace.registerTextDocumentContentProvider(scheme, {
            onDidChange: changed.event,
            provideTextDocumentContent: read,
          }),
        ]),
    vscode.languages.registerDocumentLinkProvider(
      { scheme },
      { provideDocumentLinks: ({ uri }) => pages.get(uri.toString())?.createLinks() },
    ),
    vscode.window.onDidChangeVisibleTextEditors(decorate),
    vscode.workspace.onDidChangeTextDocument(({ document }) =>
      decorate(vscode.window.visibleTextEditors.filter((editor) => editor.document === document)),
    ),
    vscode.workspace.onDidCloseTextDocument(({ uri }) => {
      pages.delete(uri.toString());
      incomplete.delete(uri.toString());
    }),
  );

  return {
    async show(page) {
      const rendered = renderPage(page.lines);
      const uri = findUri(page, rendered.text);
      pages.set(uri.toString(), rendered);
      incomplete.delete(uri.toString());
      const document = vscode.workspace.textDocuments.find(({ uri: of }) => of.toString() === uri.toString());
      if (document && document.getText() !== rendered.text) {
        const change = waitForChange(document);
        notifyChange(uri);
        await change;
      }
      const start = new vscode.Position(0, 0);
      const editor = await vscode.window.showTextDocument(uri, {
        preview: false,
        viewColumn: findColumn(uri) ?? chooseColumn(),
        selection: new vscode.Range(start, start),
      });
      editor.revealRange(new vscode.Range(start, start));
      decorate([editor]);
    },
    readFile: async (uri) => new TextEncoder().encode(`${getMark(uri)}${await read(uri)}`),
    restoreIncomplete() {
      for (const id of incomplete) {
        pages.delete(id);
        notifyChange(vscode.Uri.parse(id));
      }
      incomplete.clear();
    },
    dispose: () => disposables.dispose(),
  };
}

/**
 * A byte order mark where the text would not be UTF-8 for the editor, by its settings. Elsewhere the status bar would only
 * say *with BOM*.
 */
function getMark(uri: vscode.Uri): string {
  const files = vscode.workspace.getConfiguration('files', { uri, languageId: 'plaintext' });
  const isUtf8 = files.get('encoding', 'utf8') === 'utf8' && !files.get('autoGuessEncoding', false);
  return isUtf8 ? '' : '\uFEFF';
}

/** Read-only texts in editor tabs, for searching and copying. */
export interface ReadOnlyDocuments extends vscode.Disposable {
  /** Shows a page in a tab, beside other tabs of Chainside if there are any. */
  show(page: DocumentPage): Promise<void>;
}

interface RestorableDocuments {
  /** Of the files of the scheme. Their texts come from {@link RestoredDocuments.readFile}. */
  readonly files: VirtualFileChanges;
  /** The lines for the key of a page that an earlier window showed. The key may come from anywhere. */
  readonly restore: (key: string) => Promise<RestoredPage>;
}

export interface RestoredPage {
  readonly lines: readonly TextLine[];
  /** Whether they only say why the content is missing. */
  readonly isIncomplete?: boolean;
}

interface RestoredDocuments extends ReadOnlyDocuments {
  /** The text of a document, in UTF-8. */
  readFile(uri: vscode.Uri): Promise<Uint8Array>;
  /** Restores documents again whose content was missing. */
  restoreIncomplete(): void;
}

export interface DocumentPage {
  /** Of the tab. */
  readonly title: string;
  /** Pages with the same title and key replace each other. A page is restored from it. */
  readonly key?: string | undefined;
  readonly lines: readonly TextLine[];
}

/** A line of text at an indentation level. An empty line separates paragraphs. */
export interface TextLine {
  readonly level: number;
  readonly text: string;
  readonly place?: TextLinkTarget | undefined;
  /** What a click on it runs, after the label; its title is the tooltip. */
  readonly command?: TextCommand | undefined;
  readonly style?: TextStyle | undefined;
  /** The beginning of the text that names the rest. It is muted, and `style` is of the rest. */
  readonly label?: string | undefined;
}

type TextStyle = 'heading' | 'success' | 'failure' | 'muted';

interface TextCommand {
  readonly id: CommandId;
  readonly title: string;
  readonly argument: unknown;
}

/** A line of a file, from 0; the file is a URI. */
interface TextLinkTarget {
  readonly file: string;
  readonly line: number;
}

/** Makes the language of the manifest theirs: its settings wrap long lines. */
const FOLDER = '/Chainside/';
const MAX_TITLE_CHARS = 80;
/** Fits 16 KiB in hex, so that a value of that length can be copied. */
const MAX_LINE_CHARS = 33_000;
const MAX_LINES = 20_000;

interface RenderedPage {
  readonly text: string;
  readonly createLinks: () => vscode.DocumentLink[];
  readonly ranges: ReadonlyMap<TextStyle, readonly vscode.Range[]>;
}

function renderPage(lines: readonly TextLine[]): RenderedPage {
  const texts: string[] = [];
  const links: (() => readonly vscode.DocumentLink[])[] = [];
  const ranges = new Map<TextStyle, vscode.Range[]>();
  for (const [line, { level, text, place, command, style, label }] of lines.slice(0, MAX_LINES).entries()) {
    const escaped = escapeUiText(text, MAX_LINE_CHARS);
    const start = escaped === '' ? 0 : 2 * level;
    const end = start + escaped.length;
    texts.push(`${' '.repeat(start)}${escaped}`);
    const isLabelled = label !== undefined && escaped.startsWith(label);
    const middle = isLabelled ? start + label.length : start;
    links.push(() => {
      if (place) return [createPlaceLink(place, new vscode.Range(line, start, line, end))];
      if (!command) return createChainLinks(escaped, line, start);
      return [createCommandLink(command, new vscode.Range(line, isLabelled ? middle + 1 : start, line, end))];
    });
    const add = (to: TextStyle, from: number, until: number) => {
      const styled = ranges.get(to) ?? [];
      styled.push(new vscode.Range(line, from, line, until));
      ranges.set(to, styled);
    };
    if (isLabelled) add('muted', start, middle);
    if (style) add(style, middle, end);
  }
  return { text: texts.join('\n'), createLinks: () => links.flatMap((create) => create()), ranges };
}

/** The URI fragment `L5` makes the editor reveal line 5. */
function createPlaceLink({ file, line }: TextLinkTarget, range: vscode.Range): vscode.DocumentLink {
  return new vscode.DocumentLink(range, vscode.Uri.parse(file).with({ fragment: `L${line + 1}` }));
}

function createCommandLink({ id, title, argument }: TextCommand, range: vscode.Range): vscode.DocumentLink {
  const query = encodeURIComponent(JSON.stringify([argument]));
  const link = new vscode.DocumentLink(range, vscode.Uri.parse(`command:${id}?${query}`));
  link.tooltip = title;
  return link;
}

/** Addresses are looked up, hashes shown as transactions. */
function createChainLinks(text: string, line: number, start: number): vscode.DocumentLink[] {
  return findChainLinks(text, { hashes: 'named' }).flatMap(({ kind, value, offset, length }) => {
    if (kind === 'hex') return [];
    const id = kind === 'address' ? 'chainside.lookUpAddress' : 'chainside.showTransaction';
    const range = new vscode.Range(line, start + offset, line, start + offset + length);
    const { l10n } = vscode;
    const title = kind === 'address' ? l10n.t('Look Up Address') : l10n.t('Show Transaction');
    return [createCommandLink({ id, title, argument: value }, range)];
  });
}

function createStyles(): ReadonlyMap<TextStyle, vscode.TextEditorDecorationType> {
  const create = (options: vscode.DecorationRenderOptions) =>
    vscode.window.createTextEditorDecorationType(options);
  const color = (id: string) => new vscode.ThemeColor(id);
  return new Map([
    ['heading', create({ fontWeight: 'bold' })],
    ['success', create({ fontWeight: 'bold', color: color('charts.green') })],
    ['failure', create({ fontWeight: 'bold', color: color('charts.red') })],
    ['muted', create({ color: color('descriptionForeground') })],
  ]);
}

/** The editor updates an open document asynchronously. */
function waitForChange(document: vscode.TextDocument): Promise<void> {
  return new Promise((resolve) => {
    const listening = vscode.Disposable.from(
      vscode.workspace.onDidChangeTextDocument((event) => {
        if (event.document === document) finish();
      }),
      vscode.workspace.onDidCloseTextDocument((closed) => {
        if (closed === document) finish();
      }),
    );
    function finish(): void {
      listening.dispose();
      resolve();
    }
  });
}

/** The active group or another one that has tabs of Chainside; else the active group. */
function chooseColumn(): vscode.ViewColumn {
  const { all, activeTabGroup } = vscode.window.tabGroups;
  const found = [activeTabGroup, ...all].find(({ tabs }) => tabs.some(({ input }) => isOwnTab(input)));
  return (found ?? activeTabGroup).viewColumn;
}

/** The column that shows the document already. */
function findColumn(uri: vscode.Uri): vscode.ViewColumn | undefined {
  const groups = vscode.window.tabGroups.all;
  return groups.find(({ tabs }) =>
    tabs.some(({ input }) => input instanceof vscode.TabInputText && input.uri.toString() === uri.toString()),
  )?.viewColumn;
}
