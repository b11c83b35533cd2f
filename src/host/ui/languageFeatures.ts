import * as vscode from 'vscode';
import type { CommandId } from '../../manifest.ts';
import { createMarkdown, type MarkdownLines } from './markdown.ts';
import { escapeUiLines, escapeUiText, type Line } from './untrustedText.ts';

/** Registers completions of constants. `triggers` are characters after which the editor always requests them. */
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
        const completions = items.map((item, index) => {
          const sortText = String(index).padStart(SORT_DIGITS, '0');
          return Object.assign(toCompletionItem(item, { inserting, replacing }), { sortText });
        });
        return new vscode.CompletionList(completions, isCut);
      },
    },
    ...triggers,
  );
}

type FindCompletions = (
  document: vscode.TextDocument,
  position: vscode.Position,
) => Promise<Completions | undefined>;

export interface Completions {
  /** In order of preference among equal matches. */
  readonly items: readonly Completion[];
  /** The range to replace: up to the cursor (`inserting`), or also the text after it (`replacing`). */
  readonly inserting: vscode.Range;
  readonly replacing: vscode.Range;
  /** Whether typing more may yield other items. */
  readonly isCut: boolean;
}

export interface Completion {
  readonly label: string;
  /** Dimmed, after the label. */
  readonly description: string;
  readonly detail: string;
  readonly documentation: readonly Line[];
  readonly text: string;
  /** The text that the typed text is matched against. */
  readonly typed: string;
}

/** A link in a line of a terminal. `tooltip` is shown with it. */
export interface TerminalLink {
  readonly startIndex: number;
  readonly length: number;
  readonly tooltip: string;
}

/** Registers links in the lines of terminals. */
export function registerTerminalLinks<T extends TerminalLink>(
  find: (line: string) => Promise<readonly T[]>,
  open: (link: T) => Promise<void>,
): vscode.Disposable {
  return vscode.window.registerTerminalLinkProvider({
    provideTerminalLinks: async ({ line }) =>
      (await find(line)).map((link) => ({ ...link, tooltip: escapeUiText(link.tooltip, MAX_TOOLTIP_CHARS) })),
    handleTerminalLink: open,
  });
}

const MAX_TOOLTIP_CHARS = 80;
const MAX_COMPLETION_LABEL_CHARS = 80;
const MAX_COMPLETION_TEXT_CHARS = 300;
/** Completions are sorted by text, so their index is padded to this length. */
const SORT_DIGITS = 6;

function toCompletionItem(
  { label, description, detail, documentation, text, typed }: Completion,
  range: { readonly inserting: vscode.Range; readonly replacing: vscode.Range },
): vscode.CompletionItem {
  const escapedLabel = {
    label: escapeUiText(label, MAX_COMPLETION_LABEL_CHARS),
    description: escapeUiText(description, MAX_COMPLETION_LABEL_CHARS),
  };
  const item = new vscode.CompletionItem(escapedLabel, vscode.CompletionItemKind.Constant);
  item.detail = escapeUiText(detail, MAX_COMPLETION_TEXT_CHARS);
  item.documentation = escapeUiLines(documentation, MAX_COMPLETION_TEXT_CHARS);
  item.insertText = text;
  item.filterText = escapeUiText(typed, MAX_COMPLETION_TEXT_CHARS);
  item.range = range;
  return item;
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

export interface HoverContent {
  readonly lines: MarkdownLines;
  readonly range: vscode.Range;
}

export function registerInlayHints(
  selector: vscode.DocumentSelector,
  onDidChangeInlayHints: vscode.Event<void>,
  find: (document: vscode.TextDocument, range: vscode.Range) => Promise<readonly Inlay[]>,
): vscode.Disposable {
  return vscode.languages.registerInlayHintsProvider(selector, {
    onDidChangeInlayHints,
    async provideInlayHints(document, range) {
      return (await find(document, range)).map(toInlayHint);
    },
  });
}

/** A text shown after a position, which is not part of the document. */
export interface Inlay {
  readonly at: vscode.Position;
  readonly label: string;
  readonly tooltip: readonly Line[];
}

const MAX_INLAY_LABEL_CHARS = 40;
const MAX_INLAY_TOOLTIP_LINE_CHARS = 300;

function toInlayHint({ at, label, tooltip }: Inlay): vscode.InlayHint {
  const hint = new vscode.InlayHint(at, escapeUiText(label, MAX_INLAY_LABEL_CHARS));
  hint.paddingLeft = true;
  hint.tooltip = escapeUiLines(tooltip, MAX_INLAY_TOOLTIP_LINE_CHARS);
  return hint;
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

  function resolve(codeLens: vscode.CodeLens): vscode.CodeLens {
    const content = lenses.get(codeLens)?.show();
    if (content) codeLens.command = toCommand(content);
    return codeLens;
  }

  return vscode.languages.registerCodeLensProvider(selector, {
    onDidChangeCodeLenses,
    async provideCodeLenses(document, token) {
      const found = (await find(document, token))?.map((lens) => {
        const codeLens = new vscode.CodeLens(new vscode.Range(lens.at, lens.at));
        lenses.set(codeLens, lens);
        return codeLens;
      });
      return found && found.length <= MAX_RESOLVED_AT_ONCE ? found.map(resolve) : found;
    },
    resolveCodeLens: resolve,
  });
}

/** A CodeLens: a command shown above a line. */
export interface Lens {
  readonly at: vscode.Position;
  /** In a file with many lenses, called once the lens is visible: a long file has thousands. */
  readonly show: () => LensContent | undefined;
}

export interface LensContent {
  readonly title: string;
  readonly tooltip: readonly Line[];
  readonly command: CommandId;
  readonly argument: unknown;
}

const MAX_LENS_TITLE_CHARS = 120;
const MAX_LENS_TOOLTIP_LINE_CHARS = 300;
/**
 * Up to this many lenses are resolved at once. When the set of lenses changes during lazy resolution, the editor
 * assigns the results to the new lenses by index, and they stay wrong.
 */
const MAX_RESOLVED_AT_ONCE = 120;

function toCommand({ title, tooltip, command, argument }: LensContent): vscode.Command {
  return {
    title: escapeUiText(title, MAX_LENS_TITLE_CHARS),
    tooltip: escapeUiLines(tooltip, MAX_LENS_TOOLTIP_LINE_CHARS),
    command,
    arguments: [argument],
  };
}
