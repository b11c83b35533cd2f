import * as vscode from 'vscode';

/** A file of a source that somebody else keeps. */
export interface SourceText {
  /** Under which it is opened: of {@link SourceTexts.scheme}. */
  readonly uri: vscode.Uri;
  readonly text: string;
}

/** Sources in editor tabs that can be read, searched and copied, but not changed. */
export interface SourceTexts extends vscode.Disposable {
  uriOf(host: string, path: string): vscode.Uri;
  /** Keeps texts for tabs that are opened, those that were added last. */
  add(texts: readonly SourceText[]): void;
}

/** Files that are at hand; tabs of others show what the editor says of a file that is not there. */
const MOST_KEPT = 2_000;
const HIDDEN = /[\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}\u2028\u2029\u2800]/gu;
const LAYOUT: ReadonlySet<string> = new Set(['\t', '\n', '\r']);

/** Texts under a scheme of their own. What is hidden in them becomes visible, as `<U+202E>`; all else stays as it is. */
export function openSourceTexts(scheme: string): SourceTexts {
  const kept = new Map<string, string>();
  const provider = vscode.workspace.registerTextDocumentContentProvider(scheme, {
    provideTextDocumentContent(uri) {
      const text = kept.get(uri.toString());
      if (text === undefined) throw vscode.FileSystemError.FileNotFound(uri);
      return visible(text);
    },
  });
  return {
    uriOf: (host, path) => vscode.Uri.from({ scheme, authority: host, path: `/${path}` }),
    add(texts) {
      for (const { uri, text } of texts) {
        kept.delete(uri.toString());
        kept.set(uri.toString(), text);
      }
      for (const oldest of kept.keys()) {
        if (kept.size <= MOST_KEPT) break;
        kept.delete(oldest);
      }
    },
    dispose: () => provider.dispose(),
  };
}

function visible(text: string): string {
  return text.replace(HIDDEN, (found) => {
    if (LAYOUT.has(found)) return found;
    const code = (found.codePointAt(0) ?? 0).toString(16).toUpperCase();
    return `<U+${code.padStart(4, '0')}>`;
  });
}
