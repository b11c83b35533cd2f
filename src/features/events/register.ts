import * as vscode from 'vscode';
import { type Clock, createTimeSlices } from '../../core/index.ts';
import { abortSignalOf } from '../../host/commands/progress.ts';
import type { SettingsService } from '../../host/settings/settings.ts';
import { type Lens, registerLenses } from '../../host/surface/lenses.ts';
import { documentLength } from '../../host/workspace/documentText.ts';
import { type DeclaredEvent, findEvents, LONGEST_SOURCE } from './findEvents.ts';

const solidity: vscode.DocumentSelector = [{ language: 'solidity' }, { pattern: '**/*.sol' }];

export interface EventsDeps {
  readonly settings: SettingsService;
  readonly clock: Clock;
}

/** A lens over each event that a Solidity file declares, which opens a log query for it. Asks no server anything. */
export function registerEvents(deps: EventsDeps): vscode.Disposable {
  const changed = new vscode.EventEmitter<void>();
  return vscode.Disposable.from(
    changed,
    deps.settings.onDidChange(() => changed.fire()),
    registerLenses(solidity, changed.event, (document, token) =>
      lenses(deps, document, { signal: abortSignalOf(token) }),
    ),
  );
}

/** None where the answer is no longer wanted, or the text has changed meanwhile: the editor asks again. */
async function lenses(
  { settings, clock }: EventsDeps,
  document: vscode.TextDocument,
  { signal }: { readonly signal: AbortSignal },
): Promise<readonly Lens[] | undefined> {
  if (!settings.isEnabled('chainside.codeLens.enabled', document)) return undefined;
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
