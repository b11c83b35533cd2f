import type * as vscode from 'vscode';
import { underNotification } from '../surface/progress.ts';

/** Reports how much of a task is done: a share from 0 to 1, which does not go back, and words beside it. */
type ReportProgress = (share: number, words: string) => void;

/** Runs `task` under a notification that can cancel it; `cancellation` if the user did. */
export async function cancellable<T>(
  title: string,
  task: (options: { readonly signal: AbortSignal; readonly report: ReportProgress }) => Promise<T>,
): Promise<T | 'cancelled'> {
  return underNotification(title, async (reportParts, token) => {
    const signal = abortSignalOf(token);
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
export function abortSignalOf(token: vscode.CancellationToken): AbortSignal {
  const controller = new AbortController();
  if (token.isCancellationRequested) controller.abort();
  else token.onCancellationRequested(() => controller.abort());
  return controller.signal;
}
