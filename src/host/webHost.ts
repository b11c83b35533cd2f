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

/**
 * Call it where the user chose or uses the server at `url`. A browser asks its user before a page may request servers on
 * this machine, which must not come unexpectedly.
 */
export function noteChosenServer(url: string): void {
  isLocalChosen ||= isLoopbackUrl(url);
}

/** False for a server on this machine, in a browser, before the user has chosen one since the window was opened. */
export function mayRequest(url: string): boolean {
  return !isWebHost || isLocalChosen || !isLoopbackUrl(url);
}
