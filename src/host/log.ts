import * as vscode from 'vscode';
import { type HttpExchange, isAppError, plainText } from '../core/index.ts';

/** The output channel of the extension; its level is set with the editor's own *Set Log Level*. */
export function createLog(): vscode.LogOutputChannel {
  return vscode.window.createOutputChannel('Chainside', { log: true });
}

/** Writes one line for each HTTP exchange: number, method, origin, outcome, time. Nothing that can hold a key. */
export function exchangeLogger(log: vscode.LogOutputChannel): (exchange: HttpExchange) => void {
  let last = 0;
  return ({ method, origin, outcome, ms, bytes }) => {
    const line = `#${++last} ${method} ${origin} ${outcome} ${Math.round(ms)} ms ${bytes} bytes`;
    if (outcome === 'aborted' || (typeof outcome === 'number' && outcome < 400)) log.debug(line);
    else log.warn(line);
  };
}

/** An error as text for the log; one that nobody meant to throw comes with its stack. */
export function errorText(error: unknown): string {
  if (!isAppError(error)) return error instanceof Error ? (error.stack ?? error.message) : String(error);
  const { serverMessage } = error.details;
  const words = serverMessage === undefined ? '' : ` Server: ${plainText(serverMessage, 300)}`;
  return `${error.kind}: ${error.message}${words}`;
}
