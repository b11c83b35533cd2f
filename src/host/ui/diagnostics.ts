import * as vscode from 'vscode';
import type { Clock } from '../../core/index.ts';
import { Disposables } from '../disposables.ts';
import { escapeUiText } from './untrustedText.ts';

const MAX_MESSAGE_CHARS = 300;
const SETTLE_MS = 300;

/** Something that is wrong in a document. */
export interface DocumentDiagnostic {
  readonly range: vscode.Range;
  readonly message: string;
  /** What kind of problem it is, for those who filter by it. */
  readonly code: string;
  readonly severity: keyof typeof levels;
  /** What would be right there, if that is known. */
  readonly fix?: { readonly title: string; readonly replacement: string } | undefined;
}

const levels = {
  error: vscode.DiagnosticSeverity.Error,
  warning: vscode.DiagnosticSeverity.Warning,
  information: vscode.DiagnosticSeverity.Information,
  hint: vscode.DiagnosticSeverity.Hint,
} as const;

/** What was found in one version of a text: in the next its places are others. */
interface FoundDiagnostics {
  readonly version: number;
  readonly problems: readonly DocumentDiagnostic[];
}

const noDiagnostics: FoundDiagnostics = { version: -1, problems: [] };

interface DiagnosticsOptions {
  readonly clock: Clock;
  /** Fires when other problems may be found in what has not changed. */
  readonly onDidChange?: vscode.Event<void>;
  /** Rejects when `signal` aborts, as it does when the text changes. */
  readonly find: (
    document: vscode.TextDocument,
    options: { readonly signal: AbortSignal },
  ) => Promise<readonly DocumentDiagnostic[]>;
}

/** Problems of the documents in sight, found anew a little after each change, and a quick fix for each. */
export function registerDiagnostics({ clock, find, onDidChange }: DiagnosticsOptions): vscode.Disposable {
  const disposables = new Disposables();
  const shown = disposables.add(vscode.languages.createDiagnosticCollection('chainside'));
  const found = new WeakMap<vscode.TextDocument, FoundDiagnostics>();
  const looking = new Map<vscode.TextDocument, AbortController>();

  async function look(document: vscode.TextDocument, settle: number): Promise<void> {
    looking.get(document)?.abort();
    const asked = new AbortController();
    looking.set(document, asked);
    const { signal } = asked;
    try {
      if (settle > 0) await clock.sleep(settle, { signal });
      const problems = await find(document, { signal });
      if (signal.aborted) return;
      found.set(document, { version: document.version, problems });
      shown.set(document.uri, problems.map(diagnostic));
    } catch (error) {
      if (!signal.aborted) throw error;
    } finally {
      if (looking.get(document) === asked) looking.delete(document);
    }
  }

  function lookAtNew(): void {
    for (const { document } of vscode.window.visibleTextEditors) {
      if (canBeMended(document) && !found.has(document) && !looking.has(document)) void look(document, 0);
    }
  }

  function forget(document: vscode.TextDocument): void {
    looking.get(document)?.abort();
    found.delete(document);
    shown.delete(document.uri);
  }

  disposables.add(vscode.window.onDidChangeVisibleTextEditors(lookAtNew));
  if (onDidChange) {
    disposables.add(
      onDidChange(() => {
        const isKnown = (document: vscode.TextDocument) => found.has(document) || looking.has(document);
        for (const document of vscode.workspace.textDocuments) if (isKnown(document)) void look(document, 0);
      }),
    );
  }
  disposables.add(
    vscode.workspace.onDidChangeTextDocument(({ document, contentChanges }) => {
      const isKnown = found.has(document) || looking.has(document);
      if (isKnown && contentChanges.length > 0) void look(document, SETTLE_MS);
    }),
  );
  disposables.add(vscode.workspace.onDidCloseTextDocument(forget));
  disposables.add(
    vscode.languages.registerCodeActionsProvider(
      { pattern: '**' },
      {
        provideCodeActions(document, range) {
          const { version, problems } = found.get(document) ?? noDiagnostics;
          if (version !== document.version) return [];
          return problems
            .filter((problem) => problem.range.intersection(range))
            .flatMap((problem) => (problem.fix ? [quickFix(document, problem, problem.fix)] : []));
        },
      },
      { providedCodeActionKinds: [vscode.CodeActionKind.QuickFix] },
    ),
  );
  disposables.add({
    dispose: () => {
      for (const asked of looking.values()) asked.abort();
    },
  });
  lookAtNew();
  return disposables;
}

/** Not what is only shown, such as an output channel or the older side of a comparison. */
function canBeMended({ uri }: vscode.TextDocument): boolean {
  const isOpenOnly = uri.scheme === 'untitled' || uri.scheme === 'vscode-notebook-cell';
  return isOpenOnly || vscode.workspace.fs.isWritableFileSystem(uri.scheme) === true;
}

function diagnostic({ range, message, code, severity }: DocumentDiagnostic): vscode.Diagnostic {
  const made = new vscode.Diagnostic(range, escapeUiText(message, MAX_MESSAGE_CHARS), levels[severity]);
  made.source = 'Chainside';
  made.code = code;
  return made;
}

function quickFix(
  document: vscode.TextDocument,
  problem: DocumentDiagnostic,
  { title, replacement }: NonNullable<DocumentDiagnostic['fix']>,
): vscode.CodeAction {
  const action = new vscode.CodeAction(
    escapeUiText(title, MAX_MESSAGE_CHARS),
    vscode.CodeActionKind.QuickFix,
  );
  action.edit = new vscode.WorkspaceEdit();
  action.edit.replace(document.uri, problem.range, replacement);
  action.diagnostics = [diagnostic(problem)];
  action.isPreferred = true;
  return action;
}
