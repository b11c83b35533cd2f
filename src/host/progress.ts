import * as vscode from 'vscode';

/** Runs `task` under a notification that can cancel it; `cancelled` if the user did. */
export async function cancellable<T>(
  title: string,
  task: (signal: AbortSignal) => Promise<T>,
): Promise<T | 'cancelled'> {
  const options = { location: vscode.ProgressLocation.Notification, title, cancellable: true };
  return vscode.window.withProgress(options, async (_progress, token) => {
    const signal = abortSignalOf(token);
    try {
      return await task(signal);
    } catch (error) {
      if (signal.aborted) return 'cancelled';
      throw error;
    }
  });
}

/** A signal that aborts when the editor's `token` is cancelled. */
export function abortSignalOf(token: vscode.CancellationToken): AbortSignal {
  const controller = new AbortController();
  if (token.isCancellationRequested) controller.abort();
  else token.onCancellationRequested(() => controller.abort());
  return controller.signal;
}
