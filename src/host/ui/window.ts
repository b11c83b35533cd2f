import * as vscode from 'vscode';
import type { CommandId } from '../../manifest.ts';
import { escapeLogRecord, escapeUiLines, escapeUiText, type Line } from './untrustedText.ts';

/** Reports how much of a task is done: a share from 0 to 1, which does not go back, and words beside it. */
type ReportProgress = (share: number, words: string) => void;

/** Runs `task` under a notification that can cancel it; `cancellation` if the user did. */
export async function withCancellableProgress<T>(
  title: string,
  task: (options: { readonly signal: AbortSignal; readonly report: ReportProgress }) => Promise<T>,
): Promise<T | 'cancelled'> {
  return withProgressNotification(title, async (reportParts, token) => {
    const signal = toAbortSignal(token);
    let percent = 0;
    const report: ReportProgress = (share, words) => {
      const increment = Math.max(0, share * 100 - percent);
      percent += increment;
      reportParts(increment, words);
    };
    try {
      return await task({ signal, report });
    } catch (error) {
      if (signal.aborted) return 'cancelled';
      throw error;
    }
  });
}

/** A signal that aborts when the editor's `token` is cancelled. */
export function toAbortSignal(token: vscode.CancellationToken): AbortSignal {
  const controller = new AbortController();
  if (token.isCancellationRequested) controller.abort();
  else token.onCancellationRequested(() => controller.abort());
  return controller.signal;
}

/** The output channel of the extension; its level is set with the editor's own *Set Log Level*. */
export function openOutputChannel(): vscode.LogOutputChannel {
  const channel = vscode.window.createOutputChannel('Chainside', { log: true });
  const levels = ['trace', 'debug', 'info', 'warn', 'error'] as const;
  const gated = levels.map((level) => [
    level,
    { value: (record: string | Error) => channel[level](escapeLogRecord(String(record))) },
  ]);
  return Object.create(channel, Object.fromEntries(gated));
}

const MAX_PROGRESS_CHARS = 200;

/** Tells by how many of a hundred parts more a task is done, and words beside that. */
type ReportParts = (increment: number, words: string) => void;

/** Runs `task` under a notification that can cancel it. */
export function withProgressNotification<T>(
  title: string,
  task: (report: ReportParts, token: vscode.CancellationToken) => Promise<T>,
): Thenable<T> {
  const options = {
    location: vscode.ProgressLocation.Notification,
    title: escapeUiText(title, MAX_PROGRESS_CHARS),
    cancellable: true,
  };
  return vscode.window.withProgress(options, (progress, token) =>
    task(
      (increment, words) => progress.report({ increment, message: escapeUiText(words, MAX_PROGRESS_CHARS) }),
      token,
    ),
  );
}

/** Shows a view as busy until `task` has ended. */
export function withViewProgress(viewId: string, task: Promise<unknown>): Thenable<unknown> {
  return vscode.window.withProgress({ location: { viewId } }, () => task);
}

const MAX_STATUS_TEXT_CHARS = 120;
const MAX_TOOLTIP_LINE_CHARS = 300;

interface StatusContent {
  /** Of the editor's icons, by name. */
  readonly icon: string;
  readonly text: string;
  readonly tooltip: readonly Line[];
  /** What a screen reader hears. */
  readonly spoken: string;
  readonly warns: boolean;
}

interface StatusBarItem extends vscode.Disposable {
  draw(words: StatusContent): void;
  show(): void;
  hide(): void;
}

/** An item at the left of the status bar that runs a command. */
export function createStatusBarItem(id: string, name: string, command: CommandId): StatusBarItem {
  const item = vscode.window.createStatusBarItem(id, vscode.StatusBarAlignment.Left, 50);
  item.name = escapeUiText(name, MAX_STATUS_TEXT_CHARS);
  item.command = command;
  return {
    draw({ icon, text, tooltip, spoken, warns }) {
      item.text = `$(${icon}) ${escapeUiText(text, MAX_STATUS_TEXT_CHARS)}`;
      item.tooltip = escapeUiLines(tooltip, MAX_TOOLTIP_LINE_CHARS);
      item.accessibilityInformation = { label: escapeUiText(spoken, MAX_TOOLTIP_LINE_CHARS) };
      item.backgroundColor = warns ? new vscode.ThemeColor('statusBarItem.warningBackground') : undefined;
    },
    show: () => item.show(),
    hide: () => item.hide(),
    dispose: () => item.dispose(),
  };
}
