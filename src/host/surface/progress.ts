import * as vscode from 'vscode';
import { harmless } from './harmless.ts';

const LONGEST = 200;

/** Tells by how many of a hundred parts more a task is done, and words beside that. */
type ReportParts = (increment: number, words: string) => void;

/** Runs `task` under a notification that can cancel it. */
export function underNotification<T>(
  title: string,
  task: (report: ReportParts, token: vscode.CancellationToken) => Promise<T>,
): Thenable<T> {
  const options = {
    location: vscode.ProgressLocation.Notification,
    title: harmless(title, LONGEST),
    cancellable: true,
  };
  return vscode.window.withProgress(options, (progress, token) =>
    task((increment, words) => progress.report({ increment, message: harmless(words, LONGEST) }), token),
  );
}

/** Shows a view as busy until `task` has ended. */
export function whileViewBusy(viewId: string, task: Promise<unknown>): Thenable<unknown> {
  return vscode.window.withProgress({ location: { viewId } }, () => task);
}
