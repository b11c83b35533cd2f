import * as vscode from 'vscode';
import { harmless, harmlessLines, type Line } from './harmless.ts';

const LONGEST_LABEL = 80;
const LONGEST_WORDS = 300;
/** Of the place of one in its list: the editor sorts by text. */
const SORT_DIGITS = 6;

/** Something that may be meant by what is typed. */
export interface Completion {
  readonly label: string;
  /** Beside the label. */
  readonly description: string;
  readonly detail: string;
  readonly documentation: readonly Line[];
  /** What is put in. */
  readonly text: string;
  /** What is held against what is typed. */
  readonly typed: string;
}

export interface Completions {
  /** Those that fit what is typed alike are offered in this order. */
  readonly items: readonly Completion[];
  /** What they take the place of: up to the cursor, and with what stands behind it. */
  readonly inserting: vscode.Range;
  readonly replacing: vscode.Range;
  /** Whether others fit once more is typed. */
  readonly isCut: boolean;
}

type FindCompletions = (
  document: vscode.TextDocument,
  position: vscode.Position,
) => Promise<Completions | undefined>;

/** Constants to complete to. `triggers` are characters after which the editor asks in any case. */
export function registerCompletions(
  selector: vscode.DocumentSelector,
  find: FindCompletions,
  triggers: readonly string[] = [],
): vscode.Disposable {
  return vscode.languages.registerCompletionItemProvider(
    selector,
    {
      async provideCompletionItems(document, position, token) {
        const found = await find(document, position);
        if (!found || token.isCancellationRequested || found.items.length === 0) return undefined;
        const { items, inserting, replacing, isCut } = found;
        const made = items.map((item, place) => {
          const sortText = String(place).padStart(SORT_DIGITS, '0');
          return Object.assign(completionItem(item, { inserting, replacing }), { sortText });
        });
        return new vscode.CompletionList(made, isCut);
      },
    },
    ...triggers,
  );
}

function completionItem(
  { label, description, detail, documentation, text, typed }: Completion,
  range: { readonly inserting: vscode.Range; readonly replacing: vscode.Range },
): vscode.CompletionItem {
  const words = { label: harmless(label, LONGEST_LABEL), description: harmless(description, LONGEST_LABEL) };
  const item = new vscode.CompletionItem(words, vscode.CompletionItemKind.Constant);
  item.detail = harmless(detail, LONGEST_WORDS);
  item.documentation = harmlessLines(documentation, LONGEST_WORDS);
  item.insertText = text;
  item.filterText = harmless(typed, LONGEST_WORDS);
  item.range = range;
  return item;
}
