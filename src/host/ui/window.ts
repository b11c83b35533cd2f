import * as vscode from 'vscode';
import type { CommandId } from '../../manifest.ts';
import { escapeLogRecord, escapeUiLines, escapeUiText, type Line } from './untrustedText.ts';

/** Runs `task` under a notification that can cancel it; resolves to 'cancelled' if the user did. */
export async function withCancellableProgress<T>(
  title: string,
  task: (options: { readonly signal: AbortSignal; readonly report: ReportProgress }) => Promise<T>,
): Promise<T | 'cancelled'> {
  return withProgressNotification(title, async (reportIncrement, token) => {
    const signal = toAbortSignal(token);
    let percent = 0;
    const report: ReportProgress = (share, message) => {
      const increment = Math.max(0, share * 100 - percent);
      percent += increment;
      reportIncrement(increment, message);
    };
    try {
      return await task({ signal, report });
    } catch (error) {
      if (signal.aborted) return 'cancelled';
      throw error;
    }
  });
}

/** Reports the share of a task that is done, from 0 to 1, and a message. A smaller share than before is ignored. */
type ReportProgress = (share: number, message: string) => void;

/** A signal that aborts when the editor's `token` is cancelled. */
export function toAbortSignal(token: vscode.CancellationToken): AbortSignal {
  const controller = new AbortController();
  if (token.isCancellationRequested) controller.abort();
  else token.onCancellationRequested(() => controller.abort());
  return controller.signal;
}

const MAX_PROGRESS_CHARS = 200;

/** Reports by how many percentage points a task has advanced, and a message. */
type ReportIncrement = (increment: number, message: string) => void;

export function withProgressNotification<T>(
  title: string,
  task: (report: ReportIncrement, token: vscode.CancellationToken) => Promise<T>,
): Thenable<T> {
  const options = {
    location: vscode.ProgressLocation.Notification,
    title: escapeUiText(title, MAX_PROGRESS_CHARS),
    cancellable: true,
  };
  return vscode.window.withProgress(options, (progress, token) =>
    task(
      (increment, message) =>
        progress.report({ increment, message: escapeUiText(message, MAX_PROGRESS_CHARS) }),
      token,
    ),
  );
}

/** Shows a view as busy until `task` has settled. */
export function withViewProgress(viewId: string, task: Promise<unknown>): Thenable<unknown> {
  return vscode.window.withProgress({ location: { viewId } }, () => task);
}

/** The extension's output channel. Users set its level by the editor's *Set Log Level* command. */
export function openOutputChannel(): vscode.LogOutputChannel {
  const channel = vscode.window.createOutputChannel('Chainside', { log: true });
  const levels = ['trace', 'debug', 'info', 'warn', 'error'] as const;
  const escapedMethods = levels.map((level) => [
    level,
    { value: (record: string | Error) => channel[level](escapeLogRecord(String(record))) },
  ]);
  return Object.create(channel, Object.fromEntries(escapedMethods));
}

const MAX_STATUS_TEXT_CHARS = 120;
const MAX_TOOLTIP_LINE_CHARS = 300;

interface StatusContent {
  /** A name of one of the editor's icons. */
  readonly icon: string;
  readonly text: string;
  readonly tooltip: readonly Line[];
  readonly spoken: string;
  readonly warns: boolean;
}

interface StatusBarItem extends vscode.Disposable {
  draw(content: StatusContent): void;
  show(): void;
  hide(): void;
}

/** Creates an item at the left of the status bar that runs a command. */
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

/** Runs a command of our own in a terminal that the user sees. */
export function runInTerminal(
  command: string,
  options: { readonly name: string; readonly cwd: vscode.Uri },
): void {
  const terminal = vscode.window.createTerminal(options);
  terminal.show();
  terminal.sendText(command);
}
