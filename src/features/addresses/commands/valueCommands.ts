import * as vscode from 'vscode';
import * as z from 'zod/mini';
import { registerCommand } from '../../../host/commands.ts';
import { showError } from '../../../host/errors.ts';
import type { Session } from '../../../host/session/session.ts';
import { showMessage, showStatusMessage } from '../../../host/ui/dialogs.ts';
import type { WatchedValues } from '../values/watchedValues.ts';
import { MAX_WATCHED_VALUES, parseWatchedView } from '../values/watchedViews.ts';

interface ValueCommandDeps {
  readonly session: Session;
  readonly values: WatchedValues;
  readonly log: vscode.LogOutputChannel;
}

/** Registers the commands that watch the value of a view function, and stop that. */
export function registerValueCommands({ session, values, log }: ValueCommandDeps): vscode.Disposable {
  return vscode.Disposable.from(
    registerCommand('chainside.watchValue', async (argument) => {
      try {
        const view = parseWatchedView(argument);
        if (await values.add(view)) {
          const name = values.functionOf(view)?.name ?? '';
          showStatusMessage(vscode.l10n.t('Watching {0} in the Addresses view', name), 3000);
          return;
        }
        void showMessage(
          'warning',
          vscode.l10n.t('You can watch at most {0} values. Stop watching one first.', MAX_WATCHED_VALUES),
        );
      } catch (error) {
        await showError(error, { service: 'endpoint', network: session.network, log });
      }
    }),
    registerCommand('chainside.unwatchValue', async (argument) => {
      const row = ValueRow.safeParse(argument).data;
      if (row) await values.remove(row.view.id);
    }),
  );
}

const ValueRow = z.object({ view: z.object({ id: z.string() }) });
