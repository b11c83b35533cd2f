import { URI } from 'vscode-uri';
import {
  EventEmitter,
  Position,
  Range,
  records,
  Selection,
  type TextEdit,
  type WorkspaceEdit,
} from './classes.ts';

interface DocumentFiles {
  readonly readText: (uri: URI) => Promise<string>;
  readonly writeText: (uri: URI, text: string) => Thenable<void>;
}

interface DocumentOptions {
  readonly languageId: string;
  readonly save: (document: TextDocument) => Promise<boolean>;
}

/** A text as editors have it, with lines that end with `\n`. */
class TextDocument {
  readonly uri: URI;
  readonly languageId: string;
  version = 1;
  isDirty = false;
  isClosed = false;
  readonly #save: (document: TextDocument) => Promise<boolean>;
  #text: string;

  constructor(uri: URI, text: string, { languageId, save }: DocumentOptions) {
    this.#save = save;
    this.uri = uri;
    this.languageId = languageId;
    this.#text = text.replace(/^\uFEFF/, '');
  }

  get isUntitled(): boolean {
    return this.uri.scheme === 'untitled';
  }

  get lineCount(): number {
    return this.#lines.length;
  }

  get #lines(): readonly string[] {
    return this.#text.split('\n');
  }

  getText(range?: Range): string {
    return range ? this.#text.slice(this.offsetAt(range.start), this.offsetAt(range.end)) : this.#text;
  }

  lineAt(place: number | Position) {
    const lineNumber = typeof place === 'number' ? place : place.line;
    const text = this.#lines[lineNumber];
    if (text === undefined) throw new Error('Illegal value for `line`');
    return { lineNumber, text, range: new Range(lineNumber, 0, lineNumber, text.length) };
  }

  offsetAt({ line, character }: Position): number {
    const lines = this.#lines;
    const before = lines.slice(0, line).reduce((sum, text) => sum + text.length + 1, 0);
    return Math.min(before + Math.min(character, lines[line]?.length ?? 0), this.#text.length);
  }

  positionAt(offset: number): Position {
    const lines = this.#text.slice(0, offset).split('\n');
    return new Position(lines.length - 1, lines.at(-1)?.length ?? 0);
  }

  setText(text: string, isDirty: boolean): void {
    this.#text = text;
    this.isDirty = isDirty;
    this.version++;
  }

  apply(edits: readonly TextEdit[]): void {
    const last = (edit: TextEdit) => this.offsetAt(edit.range.start);
    let text = this.#text;
    for (const edit of [...edits].sort((a, b) => last(b) - last(a))) {
      text = text.slice(0, last(edit)) + edit.newText + text.slice(this.offsetAt(edit.range.end));
    }
    this.setText(text, true);
  }

  getWordRangeAtPosition({ line, character }: Position, pattern = WORD): Range | undefined {
    const { text } = this.lineAt(line);
    for (const { index, 0: word } of text.matchAll(new RegExp(pattern, 'g'))) {
      const end = index + word.length;
      if (index <= character && character <= end) return new Range(line, index, line, end);
    }
    return undefined;
  }

  save(): Promise<boolean> {
    return this.#save(this);
  }
}

const WORD = /\w+/;

class TextEditor {
  readonly document: TextDocument;
  readonly viewColumn = 1;
  selections: readonly Selection[];

  constructor(document: TextDocument, selection: Selection) {
    this.document = document;
    this.selections = [selection];
  }

  get selection(): Selection {
    return this.selections[0] ?? new Selection(0, 0, 0, 0);
  }

  set selection(selection: Selection) {
    this.selections = [selection];
  }

  /** Nothing is drawn. */
  revealRange(): void {}

  setDecorations(): void {}
}

interface ShowOptions {
  readonly selection?: Range;
}

/** The texts that are open, and the tabs that show them, in one group. */
export function createDocuments({ readText, writeText }: DocumentFiles) {
  const documents: TextDocument[] = [];
  const editors: TextEditor[] = [];
  const changedDocument = new EventEmitter<unknown>();
  const savedDocument = new EventEmitter<TextDocument>();
  const closed = new EventEmitter<TextDocument>();
  const changedEditors = new EventEmitter<readonly TextEditor[]>();
  const changedEditor = new EventEmitter<TextEditor | undefined>();
  let untitled = 0;
  /** In front of all other tabs. */
  let active: TextEditor | undefined;

  const find = (uri: URI) => documents.find((document) => document.uri.toString() === uri.toString());

  async function save(document: TextDocument): Promise<boolean> {
    await writeText(document.uri, document.getText());
    document.isDirty = false;
    savedDocument.fire(document);
    return true;
  }

  async function openTextDocument(
    target: URI | string | { readonly content?: string; readonly language?: string } = {},
  ): Promise<TextDocument> {
    const found = target instanceof URI ? find(target) : undefined;
    if (found) return found;
    let document: TextDocument;
    if (target instanceof URI || typeof target === 'string') {
      const uri = typeof target === 'string' ? URI.file(target) : target;
      document = new TextDocument(uri, await readText(uri), { languageId: languageOf(uri), save });
    } else {
      const { content = '', language: languageId = 'plaintext' } = target;
      const uri = URI.from({ scheme: 'untitled', path: `Untitled-${++untitled}` });
      document = new TextDocument(uri, content, { languageId, save });
    }
    documents.push(document);
    return document;
  }

  function activate(editor: TextEditor | undefined): void {
    if (editor === active) return;
    active = editor;
    changedEditors.fire(editor ? [editor] : []);
    changedEditor.fire(editor);
  }

  function close(): void {
    editors.length = 0;
    for (const document of documents.splice(0)) {
      document.isClosed = true;
      closed.fire(document);
    }
    activate(undefined);
  }

  return {
    close,
    shown: editors as readonly TextEditor[],
    get active() {
      return active;
    },
    /** Has another tab in front. */
    deactivate: () => activate(undefined),
    /** Reads the text of a document again, as after a change of its file. */
    async reload(uri: URI): Promise<void> {
      const document = find(uri);
      if (!document || document.isDirty) return;
      const { version } = document;
      const text = await readText(uri);
      // What was changed meanwhile is newer than the file.
      if (document.version !== version || text === document.getText()) return;
      document.setText(text, false);
      changedDocument.fire({ document, contentChanges: [] });
    },
    workspace: {
      textDocuments: documents,
      onDidChangeTextDocument: changedDocument.event,
      onDidSaveTextDocument: savedDocument.event,
      onDidCloseTextDocument: closed.event,
      openTextDocument,
      async applyEdit(edit: WorkspaceEdit): Promise<boolean> {
        for (const [uri, edits] of edit.entries()) {
          const document = await openTextDocument(uri as URI);
          document.apply(edits);
          changedDocument.fire({ document, contentChanges: edits });
        }
        return true;
      },
    },
    window: {
      onDidChangeVisibleTextEditors: changedEditors.event,
      onDidChangeActiveTextEditor: changedEditor.event,
      async showTextDocument(target: URI | TextDocument, options: ShowOptions | number = {}) {
        const document = target instanceof TextDocument ? target : await openTextDocument(target);
        const { start, end } = (typeof options === 'object' && options.selection) || new Range(0, 0, 0, 0);
        const editor = new TextEditor(document, new Selection(start, end));
        const index = editors.findIndex((shown) => shown.document === document);
        editors.splice(index < 0 ? editors.length : index, 1, editor);
        activate(editor);
        return editor;
      },
    },
    tabs: () =>
      editors.map((editor) => ({
        label: editor.document.uri.path.split('/').at(-1) ?? '',
        input: new records.TabInputText(editor.document.uri),
        isActive: editor === active,
      })),
  };
}

/** The languages that VS Code has without extensions, as far as tests use them. */
const languages: Readonly<Record<string, string>> = {
  ...{ js: 'javascript', json: 'json', md: 'markdown', ts: 'typescript', tsx: 'typescriptreact' },
  txt: 'plaintext',
};
export const LANGUAGES = Object.values(languages);

function languageOf({ path }: URI): string {
  return languages[path.split('.').at(-1) ?? ''] ?? 'plaintext';
}
