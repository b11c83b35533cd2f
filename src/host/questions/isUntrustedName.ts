import * as vscode from 'vscode';
import type { AppError } from '../../core/index.ts';

/** Whether it is a name that a workspace may tell which is not trusted, so that nothing of it is read. */
export function isUntrustedName({ details: { input } }: AppError): boolean {
  const isName = input?.code === 'unknownName' || input?.code === 'unknownEvent';
  return isName && !vscode.workspace.isTrusted;
}
