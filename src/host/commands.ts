import * as vscode from 'vscode';
import { lazy } from '../core/index.ts';
import type { ArgumentsOf, CommandId, ContextKey } from '../manifest.ts';
import { Disposables } from './disposables.ts';
import { escapeUiError } from './ui/untrustedText.ts';

type CommandRun = (...args: readonly unknown[]) => unknown;

/** A part of the extension that is mostly loaded on first use. */
export interface LazyFeature extends vscode.Disposable {
  /** Loads it once. It then registers its commands. */
  readonly load: () => Promise<unknown>;
}

/**
 * The commands that are registered with the editor, with their implementation; undefined while it is not loaded.
 */
const implementations = new Map<CommandId, CommandRun | undefined>();

/**
 * Registers a command, or provides the implementation of a lazy one. Its arguments come from key bindings, links
 * and other extensions, so they are unknown until validated. Errors become notifications of the editor.
 */
export function registerCommand(id: CommandId, run: CommandRun): vscode.Disposable {
  const isLazy = implementations.has(id);
  implementations.set(id, run);
  if (!isLazy) return registerWithEditor(id, run);
  return new vscode.Disposable(() => implementations.has(id) && implementations.set(id, undefined));
}

/**
 * Registers those of `ids` that are not registered yet. Running one loads the features one after another, until one
 * has provided its implementation by {@link registerCommand}.
 */
export function registerLazyCommands(
  ids: readonly CommandId[],
  features: readonly LazyFeature[],
): vscode.Disposable {
  const lazyIds = ids.filter((id) => !implementations.has(id));
  const registered = lazyIds.map((id) =>
    registerWithEditor(id, async (...args) => {
      for (const { load } of features) if (!implementations.get(id)) await load();
      const run = implementations.get(id);
      if (!run) throw new Error(`No implementation is registered for ${id}.`);
      return run(...args);
    }),
  );
  for (const id of lazyIds) implementations.set(id, undefined);
  return vscode.Disposable.from(...registered);
}

/** Decides whether a command may run; otherwise it does nothing. */
let mayRun: (id: CommandId) => Promise<boolean> = async () => true;

/** Lets the commands with these IDs run only once `ready` resolves to true. */
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
  return vscode.Disposable.from(registered, { dispose: () => implementations.delete(id) });
}

export async function runCommand<Id extends CommandId>(id: Id, ...args: ArgumentsOf<Id>): Promise<void> {
  await vscode.commands.executeCommand(id, ...args);
}

export function createCommand<Id extends CommandId>(
  id: Id,
  title: string,
  ...args: ArgumentsOf<Id>
): vscode.Command {
  return { command: id, title, arguments: args };
}

/** Returns a setter of a context key for `when` clauses. It calls the editor only when the value changes. */
export function createContextKey(key: ContextKey): (value: boolean) => void {
  let current: boolean | undefined;
  return (value) => {
    if (value === current) return;
    current = value;
    void vscode.commands.executeCommand('setContext', key, value);
  };
}

/**
 * Loads a part of the extension once, on first use. If its files are missing, as after an update, the error says
 * what to do.
 */
export function lazyPart<T>(open: () => Promise<T>): () => Promise<T> {
  return lazy(async () => {
    try {
      return await open();
    } catch (cause) {
      const message = vscode.l10n.t(
        'Chainside could not load one of its files. Reload the window. If that does not help, reinstall the extension.',
      );
      throw new Error(message, { cause });
    }
  });
}

/** The panels of a feature, which registers its commands when it opens them. */
interface LazyPanels extends vscode.Disposable {
  /** Restores a panel of an earlier window. */
  restore(panel: vscode.WebviewPanel, state: unknown): Promise<void>;
}

/** Registers panels of `viewType` for restoration after a reload. Their code is loaded on first use. */
export function registerLazyPanels(viewType: string, open: () => Promise<LazyPanels>): LazyFeature {
  const disposables = new Disposables();
  const load = lazyPart(async () => disposables.add(await open()));
  disposables.add(
    vscode.window.registerWebviewPanelSerializer(viewType, {
      deserializeWebviewPanel: async (panel, state) => (await load()).restore(panel, state),
    }),
  );
  return { load, dispose: () => disposables.dispose() };
}
