import * as vscode from 'vscode';
import { escapeUiText } from './untrustedText.ts';

/** Shows a line of a file (from 0). Reuses an editor that already shows the file, such as one beside a panel. */
export async function showFileLocation({
  uri,
  line,
}: {
  readonly uri: vscode.Uri;
  readonly line: number;
}): Promise<void> {
  const position = new vscode.Position(Math.max(0, line), 0);
  const { activeTextEditor, visibleTextEditors } = vscode.window;
  const shown = [activeTextEditor, ...visibleTextEditors].find(
    (editor) => editor?.document.uri.toString() === uri.toString(),
  );
  await vscode.window.showTextDocument(uri, {
    selection: new vscode.Range(position, position),
    viewColumn: shown?.viewColumn ?? vscode.ViewColumn.Active,
  });
}

/** A file before and after; undefined where it does not exist. */
interface FileChange {
  readonly label: string;
  readonly deployed: vscode.Uri | undefined;
  readonly local: vscode.Uri | undefined;
}

/** Shows the changes of files in the diff editor, of several in one with all. */
export async function showChanges(title: string, changes: readonly FileChange[]): Promise<void> {
  const [first, ...others] = changes;
  if (!first) return;
  const text = escapeUiText(title, MAX_TITLE_CHARS);
  if (others.length === 0 && first.deployed && first.local) {
    await vscode.commands.executeCommand('vscode.diff', first.deployed, first.local, text);
    return;
  }
  const resources = changes.map(({ deployed, local }) => [local ?? deployed, deployed, local]);
  await vscode.commands.executeCommand('vscode.changes', text, resources);
}

const MAX_TITLE_CHARS = 120;

/** Registers *Go to Definition* in the documents of a scheme. */
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

interface DefinitionLocation {
  readonly uri: vscode.Uri;
  readonly line: number;
}

/**
 * Serves sources under a scheme. Hidden characters are shown, as `<U+202E>`, and line ends are normalised; all
 * other text is verbatim.
 */
export function openSourceTabs(scheme: string): SourceTabs {
  const folders = new Map<string, SourceFolder>();

  function find(uri: vscode.Uri) {
    for (const [root, folder] of folders) {
      const fullPath = `${uri.authority}${uri.path}`;
      if (fullPath.startsWith(root)) return { folder, path: fullPath.slice(root.length) };
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
        files: files.map(({ path, text }) => ({ path, text: showHiddenChars(text) })),
        uriOf: (path) => vscode.Uri.from({ scheme, authority: host, path: `/${name}/${path}` }),
      };
      const root = `${host}/${name}/`;
      folders.delete(root);
      folders.set(root, folder);
      let budget = MAX_SOURCE_CHARS;
      for (const [cachedRoot, { files: cachedFiles }] of [...folders].reverse()) {
        budget -= cachedFiles.reduce((sum, { text }) => sum + text.length, 0);
        if (budget < 0 && cachedRoot !== root) folders.delete(cachedRoot);
      }
      return folder;
    },
    dispose: () => provider.dispose(),
  };
}

/** Read-only sources in editor tabs. */
interface SourceTabs extends vscode.Disposable {
  /** Adds a source, so that its files can be opened. The oldest sources are dropped beyond a limit. */
  add(at: { readonly host: string; readonly folder: string }, files: readonly SourceFile[]): SourceFolder;
  /** The source of a tab, and the path in it; undefined once the source is dropped. */
  find(uri: vscode.Uri): { readonly folder: SourceFolder; readonly path: string } | undefined;
}

/** The files of a source from elsewhere. */
export interface SourceFolder {
  /** With the texts that are shown. */
  readonly files: readonly SourceFile[];
  uriOf(path: string): vscode.Uri;
}

/** A file by its path in the folder of the source. */
interface SourceFile {
  readonly path: string;
  readonly text: string;
}

/** Over all cached sources. Tabs of others show that the file was not found. */
const MAX_SOURCE_CHARS = 32 * 1024 * 1024;
const HIDDEN_CHARS = /[\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}\u2028\u2029\u2800]/gu;
const LAYOUT_CHARS: ReadonlySet<string> = new Set(['\t', '\n']);

function showHiddenChars(text: string): string {
  return text.replace(/\r\n?/g, '\n').replace(HIDDEN_CHARS, (found) => {
    if (LAYOUT_CHARS.has(found)) return found;
    const code = (found.codePointAt(0) ?? 0).toString(16).toUpperCase();
    return `<U+${code.padStart(4, '0')}>`;
  });
}
