import * as vscode from 'vscode';
import { lazy } from '../core/index.ts';

/**
 * A part of the extension that is loaded with its first use: one for all who ask. Files that are not there any more, as
 * after an update, are an error that says what helps.
 */
export function latePart<T>(open: () => Promise<T>): () => Promise<T> {
  return lazy(async () => {
    try {
      return await open();
    } catch (cause) {
      const words = vscode.l10n.t(
        'A part of Chainside could not be loaded. Reload the window; if that does not help, install the extension again.',
      );
      throw new Error(words, { cause });
    }
  });
}
