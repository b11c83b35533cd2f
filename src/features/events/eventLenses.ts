import * as vscode from 'vscode';
import { type Clock, createTimeSlices } from '../../core/index.ts';
import type { Lens } from '../../host/surface/lenses.ts';
import { type DeclaredEvent, findEvents } from './findEvents.ts';
import { createSourceDocuments } from './sourceDocuments.ts';

interface EventLenses {
  /** None where the answer is no longer wanted, or the text has changed meanwhile: the editor asks again. */
  lensesOf(
    document: vscode.TextDocument,
    options: { readonly signal: AbortSignal },
  ): Promise<readonly Lens[] | undefined>;
}

export function createEventLenses(clock: Clock): EventLenses {
  const documents = createSourceDocuments(clock);
  return {
    async lensesOf(document, { signal }) {
      const { version } = document;
      try {
        const source = await documents.open(document, { signal });
        const events = await findEvents(source.path, { ...source, slices: createTimeSlices(clock), signal });
        return document.version === version ? events.map((event) => lens(document, event)) : undefined;
      } catch (error) {
        if (signal.aborted) return undefined;
        throw error;
      }
    },
  };
}

function lens(
  document: vscode.TextDocument,
  { name, declaration, signature, topic0, offset }: DeclaredEvent,
): Lens {
  return {
    at: document.positionAt(offset),
    title: vscode.l10n.t('Query logs of {0}', name),
    tooltip: [signature, topic0],
    command: 'chainside.queryLogs',
    // With its words `indexed`: which parameters a query may ask for stands in no signature.
    argument: { event: declaration },
  };
}
