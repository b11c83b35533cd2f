import * as vscode from 'vscode';

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
export interface SourceTexts extends vscode.Disposable {
  /** Keeps a source for tabs that are opened. Those that were added last are kept. */
  add(at: { readonly host: string; readonly folder: string }, files: readonly SourceFile[]): SourceFolder;
  /** The source that a tab is of, and its path there; undefined for one that is not kept. */
  find(uri: vscode.Uri): { readonly folder: SourceFolder; readonly path: string } | undefined;
}

/** Of all sources that are kept; tabs of others show what the editor says of a file that is not there. */
const MOST_CHARACTERS = 32 * 1024 * 1024;
const HIDDEN = /[\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}\u2028\u2029\u2800]/gu;
const LAYOUT: ReadonlySet<string> = new Set(['\t', '\n']);

/**
 * Texts under a scheme of their own. What is hidden in them becomes visible, as `<U+202E>`, and all lines end alike;
 * all else stays as it is.
 */
export function openSourceTexts(scheme: string): SourceTexts {
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
      let room = MOST_CHARACTERS;
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
  return text.replace(/\r\n?/g, '\n').replace(HIDDEN, (found) => {
    if (LAYOUT.has(found)) return found;
    const code = (found.codePointAt(0) ?? 0).toString(16).toUpperCase();
    return `<U+${code.padStart(4, '0')}>`;
  });
}
