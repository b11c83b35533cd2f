import type * as vscode from 'vscode';
import { type HttpExchange, isAppError, sanitizeText } from '../core/index.ts';

/** Writes one line for each HTTP exchange: number, method, origin, outcome, time. Nothing that can hold a key. */
export function createExchangeLogger(log: vscode.LogOutputChannel): (exchange: HttpExchange) => void {
  let last = 0;
  return ({ method, origin, outcome, ms, bytes }) => {
    const line = `#${++last} ${method} ${origin} ${outcome} ${Math.round(ms)} ms ${bytes} bytes`;
    if (outcome === 'aborted' || (typeof outcome === 'number' && outcome < 400)) log.debug(line);
    else log.warn(line);
  };
}

/** An error as text for the log; one that nobody meant to throw comes with its stack. */
export function formatErrorForLog(error: unknown): string {
  if (!isAppError(error)) return formatUnexpectedError(error);
  const { serverMessage } = error.details;
  const words = serverMessage === undefined ? '' : ` Server: ${sanitizeText(serverMessage, 300)}`;
  return `${error.kind}: ${sanitizeText(error.message, 300)}${words}`;
}

/** Its message is one line, whatever it quotes; each line after it is a frame of the stack. */
function formatUnexpectedError(error: unknown): string {
  if (!(error instanceof Error)) return sanitizeText(String(error), 300);
  const { name, message, stack = '' } = error;
  const frames = stack.slice(stack.indexOf(message) + message.length).match(/^ +at .*$/gm) ?? [];
  return [sanitizeText(`${name}: ${message}`, 500), ...frames].join('\n');
}
