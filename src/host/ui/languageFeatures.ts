import * as vscode from 'vscode';
import type { CommandId } from '../../manifest.ts';
import { createMarkdown, type MarkdownLines } from './markdown.ts';
import { escapeUiLines, escapeUiText, type Line } from './untrustedText.ts';

const MAX_COMPLETION_LABEL_CHARS = 80;
const MAX_COMPLETION_TEXT_CHARS = 300;
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
  const words = {
    label: escapeUiText(label, MAX_COMPLETION_LABEL_CHARS),
    description: escapeUiText(description, MAX_COMPLETION_LABEL_CHARS),
  };
  const item = new vscode.CompletionItem(words, vscode.CompletionItemKind.Constant);
  item.detail = escapeUiText(detail, MAX_COMPLETION_TEXT_CHARS);
  item.documentation = escapeUiLines(documentation, MAX_COMPLETION_TEXT_CHARS);
  item.insertText = text;
  item.filterText = escapeUiText(typed, MAX_COMPLETION_TEXT_CHARS);
  item.range = range;
  return item;
}

/** What is shown about a part of a document. */
export interface HoverContent {
  readonly lines: MarkdownLines;
  readonly range: vscode.Range;
}

export function registerHover(
  selector: vscode.DocumentSelector,
  find: (
    document: vscode.TextDocument,
    position: vscode.Position,
    token: vscode.CancellationToken,
  ) => Promise<HoverContent | undefined>,
): vscode.Disposable {
  return vscode.languages.registerHoverProvider(selector, {
    async provideHover(document, position, token) {
      const found = await find(document, position, token);
      return found && new vscode.Hover(createMarkdown(found.lines), found.range);
    },
  });
}

const MAX_INLAY_LABEL_CHARS = 40;
const MAX_INLAY_TOOLTIP_LINE_CHARS = 300;

/** Words that are shown behind a place of a text and are no part of it. */
export interface Inlay {
  readonly at: vscode.Position;
  readonly label: string;
  readonly tooltip: readonly Line[];
}

export function registerInlayHints(
  selector: vscode.DocumentSelector,
  onDidChangeInlayHints: vscode.Event<void>,
  find: (document: vscode.TextDocument, range: vscode.Range) => Promise<readonly Inlay[]>,
): vscode.Disposable {
  return vscode.languages.registerInlayHintsProvider(selector, {
    onDidChangeInlayHints,
    async provideInlayHints(document, range) {
      return (await find(document, range)).map(inlayHint);
    },
  });
}

function inlayHint({ at, label, tooltip }: Inlay): vscode.InlayHint {
  const hint = new vscode.InlayHint(at, escapeUiText(label, MAX_INLAY_LABEL_CHARS));
  hint.paddingLeft = true;
  hint.tooltip = escapeUiLines(tooltip, MAX_INLAY_TOOLTIP_LINE_CHARS);
  return hint;
}

const MAX_LENS_TITLE_CHARS = 120;
const MAX_LENS_TOOLTIP_LINE_CHARS = 300;
/**
 * Lenses that have their words at once. Where the editor asks for those of a file while a change brings others, it puts the
 * answers on the others, place by place, and they stay.
 */
const MAX_RESOLVED_AT_ONCE = 120;

/** A line over a line of source that runs a command. */
export interface Lens {
  readonly at: vscode.Position;
  /** In a file of many asked for once it comes into sight: a long one has thousands. */
  readonly show: () => LensContent | undefined;
}

export interface LensContent {
  readonly title: string;
  readonly tooltip: readonly Line[];
  readonly command: CommandId;
  readonly argument: unknown;
}

export function registerCodeLenses(
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
      return found && found.length <= MAX_RESOLVED_AT_ONCE ? found.map(resolve) : found;
    },
    resolveCodeLens: resolve,
  });
}

function commandOf({ title, tooltip, command, argument }: LensContent): vscode.Command {
  return {
    title: escapeUiText(title, MAX_LENS_TITLE_CHARS),
    tooltip: escapeUiLines(tooltip, MAX_LENS_TOOLTIP_LINE_CHARS),
    command,
    arguments: [argument],
  };
}
