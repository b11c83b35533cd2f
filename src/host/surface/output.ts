import * as vscode from 'vscode';
import { recordText } from './recordText.ts';

/** The output channel of the extension; its level is set with the editor's own *Set Log Level*. */
export function openOutput(): vscode.LogOutputChannel {
  const channel = vscode.window.createOutputChannel('Chainside', { log: true });
  const levels = ['trace', 'debug', 'info', 'warn', 'error'] as const;
  const gated = levels.map((level) => [
    level,
    { value: (record: string | Error) => channel[level](recordText(String(record))) },
  ]);
  return Object.create(channel, Object.fromEntries(gated));
}
