import type * as vscode from 'vscode';
import { type HttpExchange, isAppError, sanitizeText } from '../core/index.ts';

/** Logs one line per HTTP exchange: number, method, origin, outcome, time, size. Nothing that may contain a key. */
export function createExchangeLogger(log: vscode.LogOutputChannel): (exchange: HttpExchange) => void {
  let last = 0;
  return ({ method, origin, outcome, ms, bytes }) => {
    const line = `#${++last} ${method} ${origin} ${outcome} ${Math.round(ms)} ms ${bytes} bytes`;
    if (outcome === 'aborted' || (typeof outcome === 'number' && outcome < 400)) log.debug(line);
    else log.warn(line);
  };
}

/** Formats an error for the log; an unexpected one with its stack. */
export function formatErrorForLog(error: unknown): string {
  if (!isAppError(error)) return formatUnexpectedError(error);
  if (error.kind === 'internal') return formatUnexpectedError(error.details.cause);
  const { serverMessage } = error.details;
  const serverText = serverMessage === undefined ? '' : ` Server: ${sanitizeText(serverMessage, 300)}`;
  return `${error.kind}: ${sanitizeText(error.message, 300)}${serverText}`;
}

/** The message is one line, whatever it quotes; each line after it is a stack frame. */
function formatUnexpectedError(error: unknown): string {
  if (!(error instanceof Error)) return sanitizeText(String(error), 300);
  const { name, message, stack = '' } = error;
  const frames = stack.slice(stack.indexOf(message) + message.length).match(/^ +at .*$/gm) ?? [];
  return [sanitizeText(`${name}: ${message}`, 500), ...frames].join('\n');
}
