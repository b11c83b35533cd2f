import * as vscode from 'vscode';
import type { CommandArguments, CommandId, ContextKeys } from '../../manifest.ts';
import { harmlessError } from '../surface/harmlessError.ts';

type CommandRun = (...args: readonly unknown[]) => unknown;

/** What the commands of {@link registerLateCommands} do, once that is loaded; undefined until then. */
const lateRuns = new Map<CommandId, CommandRun | undefined>();

/**
 * Registers a command. Its arguments come from key bindings, links and other extensions: unknown until validated. What
 * it throws becomes a notification of the editor.
 */
export function registerCommand(id: CommandId, run: CommandRun): vscode.Disposable {
  if (!lateRuns.has(id)) return tellEditor(id, run);
  lateRuns.set(id, run);
  return new vscode.Disposable(() => lateRuns.delete(id));
}

/**
 * Registers commands whose code is loaded when one of them is first run: `load` ends when each has gone through
 * {@link registerCommand}, whose own registrations end with what it has loaded.
 */
export function registerLateCommands(
  ids: readonly CommandId[],
  load: () => Promise<unknown>,
): vscode.Disposable {
  const registered = ids.map((id) => {
    lateRuns.set(id, undefined);
    return tellEditor(id, async (...args) => {
      if (!lateRuns.get(id)) await load();
      const run = lateRuns.get(id);
      if (!run) throw new Error(`Nothing says what ${id} does.`);
      return run(...args);
    });
  });
  const forget = () => {
    for (const id of ids) lateRuns.delete(id);
  };
  return vscode.Disposable.from(...registered, { dispose: forget });
}

function tellEditor(id: CommandId, run: CommandRun): vscode.Disposable {
  return vscode.commands.registerCommand(id, async (...args) => {
    try {
      return await run(...args);
    } catch (error) {
      throw harmlessError(error);
    }
  });
}

export async function runCommand<Id extends CommandId>(id: Id, ...args: CommandArguments[Id]): Promise<void> {
  await vscode.commands.executeCommand(id, ...args);
}

/** A command for a tree item or status item. */
export function commandOf<Id extends CommandId>(
  id: Id,
  title: string,
  ...args: CommandArguments[Id]
): vscode.Command {
  return { command: id, title, arguments: args };
}

/** A context key for `when` clauses; tells the editor only when the value changes. */
export function createContextKey<Key extends keyof ContextKeys>(key: Key): (value: ContextKeys[Key]) => void {
  let last: ContextKeys[Key] | undefined;
  return (value) => {
    if (value === last) return;
    last = value;
    void vscode.commands.executeCommand('setContext', key, value);
  };
}
