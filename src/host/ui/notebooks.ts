import * as vscode from 'vscode';
import type { Clock } from '../../core/index.ts';
import { escapeUiLines, type Line } from './untrustedText.ts';
import { toAbortSignal } from './window.ts';

const MAX_LINE_CHARS = 1000;

/** What stands below a cell that ran. */
export interface CellOutput {
  /** Plain data for the renderer of a MIME type, which shows it in place of the texts. */
  readonly data: { readonly mime: string; readonly value: unknown };
  /** For screen readers and whoever has no such renderer. */
  readonly lines: readonly Line[];
  /** Of Markdown in which all from outside is escaped already; undefined where the lines say all. */
  readonly markdown?: string | undefined;
}

/** A cell while it runs. */
export interface CellRun {
  /** The same as long as the cell is there. */
  readonly cell: string;
  readonly text: string;
  /** Whose settings count. */
  readonly document: Pick<vscode.TextDocument, 'uri' | 'languageId'>;
  readonly metadata: Readonly<Record<string, unknown>>;
  /** Aborts when the user interrupts it. */
  readonly signal: AbortSignal;
  show(output: CellOutput): Promise<void>;
  /** Says why it could not run. */
  showError(lines: readonly Line[]): Promise<void>;
  /** Keeps plain data with the cell, as an edit of the notebook. */
  updateMetadata(metadata: Readonly<Record<string, unknown>>): Promise<void>;
}

interface Kernel {
  readonly id: string;
  readonly notebookType: string;
  readonly label: string;
  readonly languageId: string;
  readonly clock: Clock;
  /** Resolves to whether the cell has done what it says; rejects only by a mistake. */
  readonly run: (cell: CellRun) => Promise<boolean>;
  /** Told of cells whose output is not there any more. */
  readonly onDidForget: (cells: readonly string[]) => void;
}

/** Runs cells of one type of notebook, one after another. */
export function createKernel(kernel: Kernel): vscode.Disposable {
  const { id, notebookType, label, languageId, clock, onDidForget } = kernel;
  let order = 0;

  async function execute(execution: vscode.NotebookCellExecution): Promise<void> {
    const { cell, token } = execution;
    execution.executionOrder = ++order;
    execution.start(clock.now());
    let isDone = false;
    let shown: vscode.NotebookCellOutput | undefined;
    try {
      isDone = await kernel.run({
        ...{ cell: nameOf(cell), text: cell.document.getText() },
        document: { uri: cell.notebook.uri, languageId: 'markdown' },
        ...{ metadata: cell.metadata, signal: toAbortSignal(token) },
        async show(output) {
          // The same output stays where it is, and what was typed in it.
          if (shown) return execution.replaceOutputItems(itemsOf(output), shown);
          shown = new vscode.NotebookCellOutput(itemsOf(output));
          await execution.replaceOutput(shown);
        },
        showError: async (lines) => execution.replaceOutput(createErrorOutput(lines)),
        updateMetadata: (kept) => storeMetadata(cell, kept),
      });
    } finally {
      execution.end(isDone, clock.now());
    }
  }

  const controller = vscode.notebooks.createNotebookController(id, notebookType, label);
  controller.supportedLanguages = [languageId];
  controller.supportsExecutionOrder = true;
  controller.executeHandler = async (cells) => {
    const waiting = cells.map((cell) => controller.createNotebookCellExecution(cell));
    for (const execution of waiting) {
      if (execution.token.isCancellationRequested) execution.end(undefined);
      else await execute(execution);
    }
  };

  const following = vscode.Disposable.from(
    vscode.workspace.onDidChangeNotebookDocument(({ notebook, contentChanges, cellChanges }) => {
      if (notebook.notebookType !== notebookType) return;
      const removed = contentChanges.flatMap(({ removedCells }) => removedCells);
      const cleared = cellChanges.filter(({ outputs }) => outputs?.length === 0).map(({ cell }) => cell);
      onDidForget([...removed, ...cleared].map(nameOf));
    }),
    vscode.workspace.onDidCloseNotebookDocument(({ getCells, notebookType: type }) => {
      if (type === notebookType) onDidForget(getCells().map(nameOf));
    }),
    // The editor keeps a notebook without a tab for minutes where an extension has opened it.
    vscode.window.tabGroups.onDidChangeTabs(({ closed }) => {
      if (closed.length === 0) return;
      for (const notebook of vscode.workspace.notebookDocuments) {
        if (notebook.notebookType === notebookType && !hasTab(notebook)) {
          onDidForget(notebook.getCells().map(nameOf));
        }
      }
    }),
  );
  return vscode.Disposable.from(controller, following);
}

function nameOf({ document }: vscode.NotebookCell): string {
  return document.uri.toString();
}

function hasTab({ uri }: vscode.NotebookDocument): boolean {
  return vscode.window.tabGroups.all.some(({ tabs }) =>
    tabs.some(({ input }) => input instanceof vscode.TabInputNotebook && `${input.uri}` === `${uri}`),
  );
}

function itemsOf({ data, lines, markdown }: CellOutput): vscode.NotebookCellOutputItem[] {
  const { json, text } = vscode.NotebookCellOutputItem;
  const items = [json(data.value, data.mime)];
  if (markdown !== undefined) items.push(text(markdown, 'text/markdown'));
  return [...items, text(escapeUiLines(lines, MAX_LINE_CHARS))];
}

function createErrorOutput(lines: readonly Line[]): vscode.NotebookCellOutput {
  const error = { name: 'Chainside', message: escapeUiLines(lines, MAX_LINE_CHARS) };
  return new vscode.NotebookCellOutput([vscode.NotebookCellOutputItem.error(error)]);
}

async function storeMetadata(
  cell: vscode.NotebookCell,
  kept: Readonly<Record<string, unknown>>,
): Promise<void> {
  // Taken out of the notebook while it ran.
  if (cell.index < 0) return;
  const edit = new vscode.WorkspaceEdit();
  edit.set(cell.notebook.uri, [
    vscode.NotebookEdit.updateCellMetadata(cell.index, { ...cell.metadata, ...kept }),
  ]);
  await vscode.workspace.applyEdit(edit);
}

/** A cell of a notebook as a file has it: its text word for word, since it goes back there. */
export interface FileCell {
  readonly kind: 'prose' | 'code';
  readonly languageId: string;
  readonly text: string;
  /** Plain data that is kept with the cell. */
  readonly metadata: Readonly<Record<string, unknown>>;
}

/** How files of a kind become cells, and cells a file. */
export interface NotebookFormat {
  /** @throws an error in words for the user where the bytes are none of the kind. */
  readonly read: (bytes: Uint8Array) => readonly FileCell[];
  readonly write: (cells: readonly FileCell[]) => Uint8Array;
}

export function createNotebookSerializer({ read, write }: NotebookFormat): vscode.NotebookSerializer {
  return {
    deserializeNotebook(bytes) {
      const cells = read(bytes).map(({ kind, languageId, text, metadata }) => {
        const made = new vscode.NotebookCellData(CELL_KINDS[kind], text, languageId);
        made.metadata = { ...metadata };
        return made;
      });
      return new vscode.NotebookData(cells);
    },
    serializeNotebook: ({ cells }) =>
      write(
        cells.map(({ kind, languageId, value: text, metadata }) => ({
          kind: kind === vscode.NotebookCellKind.Code ? 'code' : 'prose',
          ...{ languageId, text, metadata: metadata ?? {} },
        })),
      ),
  };
}

const CELL_KINDS = { prose: vscode.NotebookCellKind.Markup, code: vscode.NotebookCellKind.Code } as const;

/** Opens a file, of none the one that is in front, with another kind of editor: a notebook type, or `default` for text. */
export async function openWithEditor(editor: string, file: unknown): Promise<void> {
  const uri = file instanceof vscode.Uri ? file : fileInFront();
  if (uri) await vscode.commands.executeCommand('vscode.openWith', uri, editor);
}

function fileInFront(): vscode.Uri | undefined {
  const input = vscode.window.tabGroups.activeTabGroup.activeTab?.input;
  const isFile = input instanceof vscode.TabInputText || input instanceof vscode.TabInputNotebook;
  return isFile ? input.uri : undefined;
}

/** Messages to and from the views that a renderer draws, in all notebooks that are in sight. */
export interface RendererMessages {
  post(message: unknown): void;
  readonly onDidReceive: vscode.Event<unknown>;
}

export function createRendererMessages(rendererId: string): RendererMessages & vscode.Disposable {
  const messaging = vscode.notebooks.createRendererMessaging(rendererId);
  const received = new vscode.EventEmitter<unknown>();
  const listening = messaging.onDidReceiveMessage(({ message }) => received.fire(message));
  return {
    post: (message) => void messaging.postMessage(message),
    onDidReceive: received.event,
    dispose() {
      listening.dispose();
      received.dispose();
    },
  };
}
