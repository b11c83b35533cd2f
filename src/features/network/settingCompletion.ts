import * as vscode from 'vscode';
import type { Completion, Completions } from '../../host/ui/languageFeatures.ts';
import type { NetworkDeps } from './secretInput.ts';

/** The value of `chainside.network` as far as it is typed, and the rest of it after the cursor. */
const BEFORE = /"chainside\.network"\s{0,9}:\s{0,9}("?[\w.:/-]{0,100})$/;
const BEHIND = /^[\w.:/-]{0,100}"?/;
const MAX_LINE_CHARS = 300;

/** Completes network IDs in a settings file. */
export function completeNetworkId(
  { settings }: NetworkDeps,
  document: vscode.TextDocument,
  position: vscode.Position,
): Completions | undefined {
  const line = document.lineAt(position.line).text;
  const typed = BEFORE.exec(
    line.slice(Math.max(0, position.character - MAX_LINE_CHARS), position.character),
  )?.[1];
  if (typed === undefined) return undefined;
  const behind = BEHIND.exec(line.slice(position.character))?.[0] ?? '';
  const start = position.translate(0, -typed.length);
  const items = settings.current.networks.map(({ id, name, chainId }): Completion => {
    const description = vscode.l10n.t('{0}, chain {1}', name, chainId);
    const text = JSON.stringify(id);
    return { label: id, description, detail: description, documentation: [], text, typed: text };
  });
  return {
    items,
    inserting: new vscode.Range(start, position),
    replacing: new vscode.Range(start, position.translate(0, behind.length)),
    isCut: false,
  };
}
