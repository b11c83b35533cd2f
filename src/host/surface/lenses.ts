import * as vscode from 'vscode';
import type { CommandId } from '../../manifest.ts';
import { harmless, harmlessLines, type Line } from './harmless.ts';

const LONGEST_TITLE = 120;
const LONGEST_LINE = 300;

/** A line over a line of source that runs a command. */
export interface Lens {
  readonly at: vscode.Position;
  readonly title: string;
  readonly tooltip: readonly Line[];
  readonly command: CommandId;
  readonly argument: unknown;
}

export function registerLenses(
  selector: vscode.DocumentSelector,
  onDidChangeCodeLenses: vscode.Event<void>,
  find: (
    document: vscode.TextDocument,
    token: vscode.CancellationToken,
  ) => Promise<readonly Lens[] | undefined>,
): vscode.Disposable {
  return vscode.languages.registerCodeLensProvider(selector, {
    onDidChangeCodeLenses,
    async provideCodeLenses(document, token) {
      return (await find(document, token))?.map(codeLens);
    },
  });
}

function codeLens({ at, title, tooltip, command, argument }: Lens): vscode.CodeLens {
  return new vscode.CodeLens(new vscode.Range(at, at), {
    title: harmless(title, LONGEST_TITLE),
    tooltip: harmlessLines(tooltip, LONGEST_LINE),
    command,
    arguments: [argument],
  });
}
