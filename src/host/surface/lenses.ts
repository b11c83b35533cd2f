import * as vscode from 'vscode';
import type { CommandId } from '../../manifest.ts';
import { harmless, harmlessLines, type Line } from './harmless.ts';

const LONGEST_TITLE = 120;
const LONGEST_LINE = 300;
/**
 * Lenses that have their words at once. Where the editor asks for those of a file while a change brings others, it puts the
 * answers on the others, place by place, and they stay.
 */
const MOST_AT_ONCE = 120;

/** A line over a line of source that runs a command. */
export interface Lens {
  readonly at: vscode.Position;
  /** In a file of many asked for once it comes into sight: a long one has thousands. */
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

  function resolve(made: vscode.CodeLens): vscode.CodeLens {
    const words = lenses.get(made)?.show();
    if (words) made.command = commandOf(words);
    return made;
  }

  return vscode.languages.registerCodeLensProvider(selector, {
    onDidChangeCodeLenses,
    async provideCodeLenses(document, token) {
      const found = (await find(document, token))?.map((lens) => {
        const made = new vscode.CodeLens(new vscode.Range(lens.at, lens.at));
        lenses.set(made, lens);
        return made;
      });
      return found && found.length <= MOST_AT_ONCE ? found.map(resolve) : found;
    },
    resolveCodeLens: resolve,
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
