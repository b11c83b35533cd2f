import * as vscode from 'vscode';
import { lazy } from '../core/index.ts';
import type { ArgumentsOf, CommandId, ContextKey } from '../manifest.ts';
import { escapeUiError } from './ui/untrustedText.ts';

type CommandRun = (...args: readonly unknown[]) => unknown;

/** A part of the extension of which most is loaded when it is first used. */
export interface LazyFeature extends vscode.Disposable {
  /** Loads it, if it is not, and has it say what its commands do. */
  readonly load: () => Promise<unknown>;
}

/** The commands of which the editor knows, each with what it does; undefined for what is not loaded yet. */
const runs = new Map<CommandId, CommandRun | undefined>();

/**
 * Registers a command, or says what a late one does. Its arguments come from key bindings, links and other extensions:
 * unknown until validated. What it throws becomes a notification of the editor.
 */
export function registerCommand(id: CommandId, run: CommandRun): vscode.Disposable {
  const known = runs.has(id);
  runs.set(id, run);
  if (!known) return registerWithEditor(id, run);
  return new vscode.Disposable(() => runs.has(id) && runs.set(id, undefined));
}

/**
 * Registers those of `ids` that nobody has registered yet. When one is run of which nothing is loaded, the features are
 * loaded one after another, until one has said by {@link registerCommand} what it does.
 */
export function registerLazyCommands(
  ids: readonly CommandId[],
  features: readonly LazyFeature[],
): vscode.Disposable {
  const late = ids.filter((id) => !runs.has(id));
  const registered = late.map((id) =>
    registerWithEditor(id, async (...args) => {
      for (const { load } of features) if (!runs.get(id)) await load();
      const run = runs.get(id);
      if (!run) throw new Error(`Nothing says what ${id} does.`);
      return run(...args);
    }),
  );
  for (const id of late) runs.set(id, undefined);
  return vscode.Disposable.from(...registered);
}

/** What must hold before a command is run; one that it does not hold for does nothing. */
let mayRun: (id: CommandId) => Promise<boolean> = async () => true;

/** Has the commands with these ids, whoever registers them, run only once `ready` has come true. */
export function runOnceReady(ids: readonly CommandId[], ready: () => Promise<boolean>): void {
  mayRun = async (id) => !ids.includes(id) || ready();
}

function registerWithEditor(id: CommandId, run: CommandRun): vscode.Disposable {
  const registered = vscode.commands.registerCommand(id, async (...args) => {
    try {
      if (!(await mayRun(id))) return undefined;
      return await run(...args);
    } catch (error) {
      throw escapeUiError(error);
    }
  });
  return vscode.Disposable.from(registered, { dispose: () => runs.delete(id) });
}

export async function runCommand<Id extends CommandId>(id: Id, ...args: ArgumentsOf<Id>): Promise<void> {
  await vscode.commands.executeCommand(id, ...args);
}

/** A command for a tree item or status item. */
export function createCommand<Id extends CommandId>(
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

/**
 * A part of the extension that is loaded with its first use: one for all who ask. Files that are not there any more, as
 * after an update, are an error that says what helps.
 */
export function lazyPart<T>(open: () => Promise<T>): () => Promise<T> {
  return lazy(async () => {
    try {
      return await open();
    } catch (cause) {
      const words = vscode.l10n.t(
        'A part of Chainside could not be loaded. Reload the window; if that does not help, install the extension again.',
      );
      throw new Error(words, { cause });
    }
  });
}
