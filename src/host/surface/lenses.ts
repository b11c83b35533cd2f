import * as vscode from 'vscode';
import type { CommandId } from '../../manifest.ts';
import { harmless, harmlessLines, type Line } from './harmless.ts';

const LONGEST_TITLE = 120;
const LONGEST_LINE = 300;

/** A line over a line of source that runs a command. */
export interface Lens {
  readonly at: vscode.Position;
  /** Asked for once it comes into sight: a long file has thousands. */
  readonly show: () => LensWords | undefined;
}

export interface LensWords {
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
  const lenses = new WeakMap<vscode.CodeLens, Lens>();
  return vscode.languages.registerCodeLensProvider(selector, {
    onDidChangeCodeLenses,
    async provideCodeLenses(document, token) {
      return (await find(document, token))?.map((lens) => {
        const made = new vscode.CodeLens(new vscode.Range(lens.at, lens.at));
        lenses.set(made, lens);
        return made;
      });
    },
    resolveCodeLens(made) {
      const words = lenses.get(made)?.show();
      if (words) made.command = commandOf(words);
      return made;
    },
  });
}

function commandOf({ title, tooltip, command, argument }: LensWords): vscode.Command {
  return {
    title: harmless(title, LONGEST_TITLE),
    tooltip: harmlessLines(tooltip, LONGEST_LINE),
    command,
    arguments: [argument],
  };
}
