import { URI } from 'vscode-uri';

/** The classes of VS Code's API that the extension makes objects of. */

type Listener<T> = (event: T) => unknown;

export class Disposable {
  readonly #dispose: () => unknown;

  constructor(dispose: () => unknown) {
    this.#dispose = dispose;
  }

  static from(...parts: readonly { dispose(): unknown }[]): Disposable {
    return new Disposable(() => {
      for (const part of parts) part.dispose();
    });
  }

  dispose(): unknown {
    return this.#dispose();
  }
}

export class EventEmitter<T> {
  readonly #listeners = new Set<Listener<T>>();

  readonly event = (listener: Listener<T>, self?: unknown, disposables?: Disposable[]): Disposable => {
    const bound: Listener<T> = (event) => listener.call(self, event);
    this.#listeners.add(bound);
    const registered = new Disposable(() => this.#listeners.delete(bound));
    disposables?.push(registered);
    return registered;
  };

  fire(event: T): void {
    for (const listener of [...this.#listeners]) listener(event);
  }

  dispose(): void {
    this.#listeners.clear();
  }
}

export class CancellationTokenSource {
  readonly #cancelled = new EventEmitter<void>();
  readonly token = { isCancellationRequested: false, onCancellationRequested: this.#cancelled.event };

  cancel(): void {
    this.token.isCancellationRequested = true;
    this.#cancelled.fire();
  }

  dispose(): void {
    this.#cancelled.dispose();
  }
}

export class FileSystemError extends Error {
  static readonly FileNotFound = createFileError('FileNotFound');
  static readonly FileExists = createFileError('FileExists');
  static readonly NoPermissions = createFileError('NoPermissions');
  readonly code: string;

  constructor(message: string, code = 'Unknown') {
    super(message);
    this.code = code;
  }
}

function createFileError(code: string) {
  return (messageOrUri: unknown) => new FileSystemError(String(messageOrUri), code);
}

export class ThemeIcon {
  static readonly File = new ThemeIcon('file');
  readonly id: string;
  readonly color: ThemeColor | undefined;

  constructor(id: string, color?: ThemeColor) {
    this.id = id;
    this.color = color;
  }
}

export class ThemeColor {
  readonly id: string;

  constructor(id: string) {
    this.id = id;
  }
}

export class MarkdownString {
  value: string;
  supportThemeIcons: boolean;
  isTrusted: unknown;
  supportHtml = false;

  constructor(value = '', supportThemeIcons = false) {
    this.value = value;
    this.supportThemeIcons = supportThemeIcons;
  }
}

export class Position {
  readonly line: number;
  readonly character: number;

  constructor(line: number, character: number) {
    if (line < 0 || character < 0) throw new Error('A position is not negative.');
    this.line = line;
    this.character = character;
  }

  isBefore(other: Position): boolean {
    return this.line < other.line || (this.line === other.line && this.character < other.character);
  }

  isAfter(other: Position): boolean {
    return other.isBefore(this);
  }

  isEqual(other: Position): boolean {
    return this.line === other.line && this.character === other.character;
  }

  with({ line = this.line, character = this.character }): Position {
    return new Position(line, character);
  }

  translate(lines = 0, characters = 0): Position {
    return new Position(this.line + lines, this.character + characters);
  }
}

type RangePlace = readonly [Position, Position] | readonly [number, number, number, number];

function toPositions([a, b, c = 0, d = 0]: RangePlace): readonly [Position, Position] {
  return typeof a === 'number' || typeof b === 'number'
    ? [new Position(Number(a), Number(b)), new Position(c, d)]
    : [a, b];
}

export class Range {
  readonly start: Position;
  readonly end: Position;

  constructor(...place: RangePlace) {
    const [from, to] = toPositions(place);
    [this.start, this.end] = from.isAfter(to) ? [to, from] : [from, to];
  }

  get isEmpty(): boolean {
    return this.start.isEqual(this.end);
  }

  intersection({ start, end }: Range): Range | undefined {
    const from = start.isAfter(this.start) ? start : this.start;
    const to = end.isBefore(this.end) ? end : this.end;
    return from.isAfter(to) ? undefined : new Range(from, to);
  }
}

export class Selection extends Range {
  readonly anchor: Position;
  readonly active: Position;

  constructor(...place: RangePlace) {
    super(...place);
    [this.anchor, this.active] = toPositions(place);
  }
}

export class RelativePattern {
  readonly baseUri: URI;
  readonly pattern: string;

  constructor(base: URI | { readonly uri: URI }, pattern: string) {
    this.baseUri = base instanceof URI ? base : base.uri;
    this.pattern = pattern;
  }
}

export interface TextEdit {
  readonly range: Range;
  readonly newText: string;
}

export class WorkspaceEdit {
  readonly #edits = new Map<string, { readonly uri: unknown; readonly edits: TextEdit[] }>();

  replace(uri: object, range: Range, newText: string): void {
    const changed = this.#edits.get(String(uri)) ?? { uri, edits: [] };
    changed.edits.push({ range, newText });
    this.#edits.set(String(uri), changed);
  }

  insert(uri: object, at: Position, newText: string): void {
    this.replace(uri, new Range(at, at), newText);
  }

  entries(): readonly (readonly [unknown, readonly TextEdit[]])[] {
    return [...this.#edits.values()].map(({ uri, edits }) => [uri, edits]);
  }
}

export class Location {
  readonly uri: URI;
  readonly range: Range;

  constructor(uri: URI, place: Range | Position) {
    this.uri = uri;
    this.range = place instanceof Range ? place : new Range(place, place);
  }
}

/** A class that stores the arguments of its constructor under these names. */
function createRecord(...names: readonly string[]) {
  return class {
    constructor(...values: readonly unknown[]) {
      for (const [index, name] of names.entries()) Object.assign(this, { [name]: values[index] });
    }
  };
}

/** Classes without methods. */
export const records = {
  CodeAction: createRecord('title', 'kind'),
  CodeLens: createRecord('range', 'command'),
  CompletionItem: createRecord('label', 'kind'),
  CompletionList: createRecord('items', 'isIncomplete'),
  Diagnostic: createRecord('range', 'message', 'severity'),
  DocumentLink: createRecord('range', 'target'),
  Hover: createRecord('contents', 'range'),
  InlayHint: createRecord('position', 'label', 'kind'),
  LanguageModelTextPart: createRecord('value'),
  LanguageModelToolResult: createRecord('content'),
  McpStdioServerDefinition: createRecord('label', 'command', 'args', 'env', 'version'),
  NotebookCellData: createRecord('kind', 'value', 'languageId'),
  NotebookData: createRecord('cells'),
  TabInputCustom: createRecord('uri', 'viewType'),
  TabInputNotebook: createRecord('uri', 'notebookType'),
  TabInputNotebookDiff: createRecord('original', 'modified', 'notebookType'),
  TabInputText: createRecord('uri'),
  TabInputTextDiff: createRecord('original', 'modified'),
  TabInputWebview: createRecord('viewType'),
};
