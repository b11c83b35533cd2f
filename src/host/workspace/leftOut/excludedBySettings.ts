import * as vscode from 'vscode';
import * as z from 'zod/mini';
import type { RulesOptions } from './folderRules.ts';
import { globTest } from './glob.ts';

/** Of one setting; real ones have some dozens. */
const MOST_PATTERNS = 1000;

/** A pattern may also be `{ when: … }`, which depends on what stands beside a file: such ones are not looked at. */
const Patterns = z.record(z.string(), z.unknown());

const settings = ['files.exclude', 'search.exclude', 'search.useIgnoreFiles'] as const;

/** What the editor's own settings leave out of a folder of the workspace, as its search does. */
export function excludedBySettings(folder: vscode.Uri): RulesOptions {
  const configured = vscode.workspace.getConfiguration(undefined, folder);
  const tests = ['files.exclude', 'search.exclude'].flatMap((id) => {
    const patterns = Patterns.safeParse(configured.get(id)).data ?? {};
    const chosen = Object.entries(patterns).filter(([, isOn]) => isOn === true);
    return chosen.slice(0, MOST_PATTERNS).flatMap(([pattern]) => globTest(pattern, { braces: true }) ?? []);
  });
  return {
    excluded: (path) => tests.some((test) => test(path)),
    useIgnoreFiles: configured.get('search.useIgnoreFiles') !== false,
  };
}

/** Calls `changed` when these settings leave out something else. */
export function followExcluded(changed: () => void): vscode.Disposable {
  return vscode.workspace.onDidChangeConfiguration((event) => {
    if (settings.some((id) => event.affectsConfiguration(id))) changed();
  });
}
