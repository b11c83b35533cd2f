import * as vscode from 'vscode';

/** Runs a command of our own in a terminal that the user sees. */
export function runInTerminal(
  command: string,
  options: { readonly name: string; readonly cwd: vscode.Uri },
): void {
  const terminal = vscode.window.createTerminal(options);
  terminal.show();
  terminal.sendText(command);
}
