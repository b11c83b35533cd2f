import * as vscode from 'vscode';
import type { Clock } from '../../core/index.ts';
import { Disposables } from '../disposables.ts';
import { escapeUiText } from './untrustedText.ts';

/** Shows diagnostics of the visible documents, updated shortly after each change, with a quick fix for each. */
export function registerDiagnostics({ clock, find, onDidChange }: DiagnosticsOptions): vscode.Disposable {
  const disposables = new Disposables();
  const shown = disposables.add(vscode.languages.createDiagnosticCollection('chainside'));
  const found = new WeakMap<vscode.TextDocument, FoundDiagnostics>();
  const running = new Map<vscode.TextDocument, AbortController>();

  async function update(document: vscode.TextDocument, delayMs: number): Promise<void> {
    running.get(document)?.abort();
    const controller = new AbortController();
    running.set(document, controller);
    const { signal } = controller;
    try {
      if (delayMs > 0) await clock.sleep(delayMs, { signal });
      const diagnostics = await find(document, { signal });
      if (signal.aborted) return;
      found.set(document, { version: document.version, diagnostics });
      shown.set(document.uri, diagnostics.map(toDiagnostic));
    } catch (error) {
      if (!signal.aborted) throw error;
    } finally {
      if (running.get(document) === controller) running.delete(document);
    }
  }

  function updateNewlyVisible(): void {
    for (const { document } of vscode.window.visibleTextEditors) {
      if (isEditable(document) && !found.has(document) && !running.has(document)) void update(document, 0);
    }
  }

  function forget(document: vscode.TextDocument): void {
    running.get(document)?.abort();
    found.delete(document);
    shown.delete(document.uri);
  }

  disposables.add(vscode.window.onDidChangeVisibleTextEditors(updateNewlyVisible));
  if (onDidChange) {
    disposables.add(
      onDidChange(() => {
        const isTracked = (document: vscode.TextDocument) => found.has(document) || running.has(document);
        for (const document of vscode.workspace.textDocuments)
          if (isTracked(document)) void update(document, 0);
      }),
    );
  }
  disposables.add(
    vscode.workspace.onDidChangeTextDocument(({ document, contentChanges }) => {
      const isTracked = found.has(document) || running.has(document);
      if (isTracked && contentChanges.length > 0) void update(document, SETTLE_MS);
    }),
  );
  disposables.add(vscode.workspace.onDidCloseTextDocument(forget));
  disposables.add(
    vscode.languages.registerCodeActionsProvider(
      { pattern: '**' },
      {
        provideCodeActions(document, range) {
          const { version, diagnostics } = found.get(document) ?? noDiagnostics;
          if (version !== document.version) return [];
          return diagnostics
            .filter((each) => each.range.intersection(range))
            .flatMap((each) => (each.fix ? [toQuickFix(document, each, each.fix)] : []));
        },
      },
      { providedCodeActionKinds: [vscode.CodeActionKind.QuickFix] },
    ),
  );
  disposables.add({
    dispose: () => {
      for (const controller of running.values()) controller.abort();
    },
  });
  updateNewlyVisible();
  return disposables;
}

interface DiagnosticsOptions {
  readonly clock: Clock;
  /** Fires when unchanged documents may have other diagnostics. */
  readonly onDidChange?: vscode.Event<void>;
  /** Rejects when `signal` aborts, which happens when the text changes. */
  readonly find: (
    document: vscode.TextDocument,
    options: { readonly signal: AbortSignal },
  ) => Promise<readonly DocumentDiagnostic[]>;
}

export interface DocumentDiagnostic {
  readonly range: vscode.Range;
  readonly message: string;
  /** The kind of problem, for filters. */
  readonly code: string;
  readonly severity: keyof typeof severities;
  readonly fix?: { readonly title: string; readonly replacement: string } | undefined;
}

/** The diagnostics of one version of a document: their ranges are wrong in the next. */
interface FoundDiagnostics {
  readonly version: number;
  readonly diagnostics: readonly DocumentDiagnostic[];
}

const noDiagnostics: FoundDiagnostics = { version: -1, diagnostics: [] };

const MAX_MESSAGE_CHARS = 300;
const SETTLE_MS = 300;

const severities = {
  error: vscode.DiagnosticSeverity.Error,
  warning: vscode.DiagnosticSeverity.Warning,
  information: vscode.DiagnosticSeverity.Information,
  hint: vscode.DiagnosticSeverity.Hint,
} as const;

/** Excludes read-only documents, such as an output channel or the older side of a comparison. */
function isEditable({ uri }: vscode.TextDocument): boolean {
  const isOpenOnly = uri.scheme === 'untitled' || uri.scheme === 'vscode-notebook-cell';
  return isOpenOnly || vscode.workspace.fs.isWritableFileSystem(uri.scheme) === true;
}

function toDiagnostic({ range, message, code, severity }: DocumentDiagnostic): vscode.Diagnostic {
  const diagnostic = new vscode.Diagnostic(
    range,
    escapeUiText(message, MAX_MESSAGE_CHARS),
    severities[severity],
  );
  diagnostic.source = 'Chainside';
  diagnostic.code = code;
  return diagnostic;
}

function toQuickFix(
  document: vscode.TextDocument,
  found: DocumentDiagnostic,
  { title, replacement }: NonNullable<DocumentDiagnostic['fix']>,
): vscode.CodeAction {
  const action = new vscode.CodeAction(
    escapeUiText(title, MAX_MESSAGE_CHARS),
    vscode.CodeActionKind.QuickFix,
  );
  action.edit = new vscode.WorkspaceEdit();
  action.edit.replace(document.uri, found.range, replacement);
  action.diagnostics = [toDiagnostic(found)];
  action.isPreferred = true;
  return action;
}
