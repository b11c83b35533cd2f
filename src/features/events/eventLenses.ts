import * as vscode from 'vscode';
import { type Clock, createTimeSlices } from '../../core/index.ts';
import type { Lens } from '../../host/surface/lenses.ts';
import { documentLength } from '../../host/workspace/documentText.ts';
import { type DeclaredEvent, findEvents, LONGEST_SOURCE } from './findEvents.ts';

/** None where the answer is no longer wanted, or the text has changed meanwhile: the editor asks again. */
export async function eventLenses(
  document: vscode.TextDocument,
  { clock, signal }: { readonly clock: Clock; readonly signal: AbortSignal },
): Promise<readonly Lens[] | undefined> {
  if (documentLength(document) > LONGEST_SOURCE) return undefined;
  const { version } = document;
  try {
    const events = await findEvents(document.getText(), createTimeSlices(clock), { signal });
    return document.version === version ? events.map((event) => lens(document, event)) : undefined;
  } catch (error) {
    if (signal.aborted) return undefined;
    throw error;
  }
}

function lens(document: vscode.TextDocument, { name, signature, topic0, offset }: DeclaredEvent): Lens {
  return {
    at: document.positionAt(offset),
    title: vscode.l10n.t('Query logs of {0}', name),
    tooltip: [signature, topic0],
    command: 'chainside.queryLogs',
    argument: { event: signature },
  };
}
