import * as vscode from 'vscode';
import type { ArgumentsOf, CommandId, ContextKey } from '../../manifest.ts';
import { harmlessError } from '../surface/harmlessError.ts';

/**
 * Registers a command. Its arguments come from key bindings, links and other extensions: unknown until validated. What
 * it throws becomes a notification of the editor.
 */
export function registerCommand(
  id: CommandId,
  run: (...args: readonly unknown[]) => unknown,
): vscode.Disposable {
  return vscode.commands.registerCommand(id, async (...args) => {
    try {
      return await run(...args);
    } catch (error) {
      throw harmlessError(error);
    }
  });
}

export async function runCommand<Id extends CommandId>(id: Id, ...args: ArgumentsOf<Id>): Promise<void> {
  await vscode.commands.executeCommand(id, ...args);
}

/** A command for a tree item or status item. */
export function commandOf<Id extends CommandId>(
  id: Id,
  title: string,
  ...args: ArgumentsOf<Id>
): vscode.Command {
  return { command: id, title, arguments: args };
}

/** A context key for `when` clauses; tells the editor only when the value changes. */
export function createContextKey(key: ContextKey): (value: boolean) => void {
  let last: boolean | undefined;
  return (value) => {
    if (value === last) return;
    last = value;
    void vscode.commands.executeCommand('setContext', key, value);
  };
}
