import type * as vscode from 'vscode';
import type { Clock } from '../../core/index.ts';
import { hasAddress } from '../../host/places/documentAddresses.ts';
import { registerProblems } from '../../host/surface/problems.ts';

/** What is said of addresses where they stand in a text. Asks no server anything. */
export function registerLiterals({ clock }: { readonly clock: Clock }): vscode.Disposable {
  return registerProblems({
    clock,
    async find(document, { signal }) {
      if (!hasAddress(document)) return [];
      const { checksumProblems } = await import('./checksumProblems.ts');
      return checksumProblems(document, { clock, signal });
    },
  });
}
