import type * as vscode from 'vscode';
import { isLoopbackUrl } from '../core/index.ts';

const { process } = globalThis as {
  readonly process?: { readonly versions?: { readonly node?: string } };
};

/**
 * Whether this extension runs in a web worker of the browser, as in vscode.dev: there is no Node. An editor in a browser
 * that has a server runs it on Node.
 */
export const isWebHost = process?.versions?.node === undefined;

let isLocalChosen = false;
let store: vscode.Memento | undefined;

/**
 * Also true after a reload if the user has chosen a server on this machine in this workspace. A browser remembers its
 * permission for the same time: the origin of the extension host belongs to the workspace.
 */
export function restoreLocalChoice(workspaceState: vscode.Memento): void {
  store = workspaceState;
  isLocalChosen = workspaceState.get(STORE_KEY) === true;
}

/**
 * Call it where the user chose or uses the server at `url`. A browser asks its user before a page may request servers on
 * this machine, which must not come unexpectedly.
 */
export function noteChosenServer(url: string): void {
  if (!isWebHost || isLocalChosen || !isLoopbackUrl(url)) return;
  isLocalChosen = true;
  void store?.update(STORE_KEY, true);
}

/** False for a server on this machine, in a browser, before the user has chosen one in this workspace. */
export function mayRequest(url: string): boolean {
  return !isWebHost || isLocalChosen || !isLoopbackUrl(url);
}

const STORE_KEY = 'localServerChosen';
