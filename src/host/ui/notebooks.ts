import * as vscode from 'vscode';
import type { Clock } from '../../core/index.ts';
import { escapeUiLines, type Line, type Markdown } from './untrustedText.ts';
import { toAbortSignal } from './window.ts';

/** Runs the cells of one type of notebook, one after another. */
export function createKernel(kernel: Kernel): vscode.Disposable {
  const { id, notebookType, label, languageId, clock, onDidForget } = kernel;
  let executionOrder = 0;

  async function execute(execution: vscode.NotebookCellExecution): Promise<void> {
    const { cell, token } = execution;
    execution.executionOrder = ++executionOrder;
    execution.start(clock.now());
    let succeeded = false;
    let current: vscode.NotebookCellOutput | undefined;
    try {
      succeeded = await kernel.run({
        cell: idOf(cell),
        text: cell.document.getText(),
        document: { uri: cell.notebook.uri, languageId: 'markdown' },
        metadata: cell.metadata,
        signal: toAbortSignal(token),
        async show(output) {
          // Replacing the items keeps the output in its place, with what the user typed in it.
          if (current) return execution.replaceOutputItems(toOutputItems(output), current);
          current = new vscode.NotebookCellOutput(toOutputItems(output));
          await execution.replaceOutput(current);
        },
        showError: async (lines) => execution.replaceOutput(createErrorOutput(lines)),
        updateMetadata: (metadata) => storeMetadata(cell, metadata),
      });
    } finally {
      execution.end(succeeded, clock.now());
    }
  }

  const controller = vscode.notebooks.createNotebookController(id, notebookType, label);
  controller.supportedLanguages = [languageId];
  controller.supportsExecutionOrder = true;
  controller.executeHandler = async (cells) => {
    const executions = cells.map((cell) => controller.createNotebookCellExecution(cell));
    for (const execution of executions) {
      if (execution.token.isCancellationRequested) execution.end(undefined);
      else await execute(execution);
    }
  };

  const subscriptions = vscode.Disposable.from(
    vscode.workspace.onDidChangeNotebookDocument(({ notebook, contentChanges, cellChanges }) => {
      if (notebook.notebookType !== notebookType) return;
      const removed = contentChanges.flatMap(({ removedCells }) => removedCells);
      const cleared = cellChanges.filter(({ outputs }) => outputs?.length === 0).map(({ cell }) => cell);
      onDidForget([...removed, ...cleared].map(idOf));
    }),
    vscode.workspace.onDidCloseNotebookDocument(({ getCells, notebookType: type }) => {
      if (type === notebookType) onDidForget(getCells().map(idOf));
    }),
    // The editor keeps a notebook without a tab open for minutes when an extension has opened it.
    vscode.window.tabGroups.onDidChangeTabs(({ closed }) => {
      if (closed.length === 0) return;
      for (const notebook of vscode.workspace.notebookDocuments) {
        if (notebook.notebookType === notebookType && !hasTab(notebook)) {
          onDidForget(notebook.getCells().map(idOf));
        }
      }
    }),
  );
  return vscode.Disposable.from(controller, subscriptions);
}

interface Kernel {
  readonly id: string;
  readonly notebookType: string;
  readonly label: string;
  readonly languageId: string;
  readonly clock: Clock;
  /** Resolves to whether the cell succeeded; rejects only because of a bug. */
  readonly run: (cell: CellRun) => Promise<boolean>;
  /** Receives the IDs of cells whose output is gone. */
  readonly onDidForget: (cells: readonly string[]) => void;
}

export interface CellRun {
  /** The ID of the cell; it stays the same until the cell is removed. */
  readonly cell: string;
  readonly text: string;
  /** The document whose settings apply. */
  readonly document: Pick<vscode.TextDocument, 'uri' | 'languageId'>;
  readonly metadata: Readonly<Record<string, unknown>>;
  /** Aborts when the user interrupts the cell. */
  readonly signal: AbortSignal;
  show(output: CellOutput): Promise<void>;
  /** Shows why the cell could not run. */
  showError(lines: readonly Line[]): Promise<void>;
  /** Adds plain data to the metadata of the cell, as an edit of the notebook. */
  updateMetadata(metadata: Readonly<Record<string, unknown>>): Promise<void>;
}

export interface CellOutput {
  /** Plain data for the renderer of a MIME type. Where there is such a renderer, it replaces the texts. */
  readonly data?: { readonly mime: string; readonly value: unknown };
  /** For screen readers, and for editors without the renderer. */
  readonly lines: readonly Line[];
  /** Undefined where the lines suffice. */
  readonly markdown?: Markdown | undefined;
}

const MAX_LINE_CHARS = 1000;

function idOf({ document }: vscode.NotebookCell): string {
  return document.uri.toString();
}

function hasTab({ uri }: vscode.NotebookDocument): boolean {
  return vscode.window.tabGroups.all.some(({ tabs }) =>
    tabs.some(({ input }) => input instanceof vscode.TabInputNotebook && `${input.uri}` === `${uri}`),
  );
}

function toOutputItems({ data, lines, markdown }: CellOutput): vscode.NotebookCellOutputItem[] {
  const { json, text } = vscode.NotebookCellOutputItem;
  const items = data ? [json(data.value, data.mime)] : [];
  if (markdown !== undefined) items.push(text(markdown, 'text/markdown'));
  return [...items, text(escapeUiLines(lines, MAX_LINE_CHARS))];
}

function createErrorOutput(lines: readonly Line[]): vscode.NotebookCellOutput {
  const error = { name: 'Chainside', message: escapeUiLines(lines, MAX_LINE_CHARS) };
  return new vscode.NotebookCellOutput([vscode.NotebookCellOutputItem.error(error)]);
}

async function storeMetadata(
  cell: vscode.NotebookCell,
  metadata: Readonly<Record<string, unknown>>,
): Promise<void> {
  // The cell was removed while it ran.
  if (cell.index < 0) return;
  const edit = new vscode.WorkspaceEdit();
  edit.set(cell.notebook.uri, [
    vscode.NotebookEdit.updateCellMetadata(cell.index, { ...cell.metadata, ...metadata }),
  ]);
  await vscode.workspace.applyEdit(edit);
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
          languageId,
          text,
          metadata: metadata ?? {},
        })),
      ),
  };
}

/** Converts between the bytes of a file and cells. */
export interface NotebookFormat {
  /** @throws an error with a localized message where the bytes are not of this format. */
  readonly read: (bytes: Uint8Array) => readonly FileCell[];
  readonly write: (cells: readonly FileCell[]) => Uint8Array;
}

/** A cell as its file has it. The text is verbatim, since it is written back. */
export interface FileCell {
  readonly kind: 'prose' | 'code';
  readonly languageId: string;
  readonly text: string;
  readonly metadata: Readonly<Record<string, unknown>>;
}

const CELL_KINDS = { prose: vscode.NotebookCellKind.Markup, code: vscode.NotebookCellKind.Code } as const;

/**
 * Opens a file, by default the one in the active tab, in another kind of editor: a notebook type, or `default` for
 * text. It takes the place of that tab, unless this would lose changes or the outputs of a notebook.
 */
export async function openWithEditor(editor: string, file: unknown): Promise<void> {
  const { tabGroups } = vscode.window;
  const { activeTab } = tabGroups.activeTabGroup;
  const active = getFile(activeTab);
  const uri = file instanceof vscode.Uri ? file : active;
  if (!uri) return;
  const isText = (tab: vscode.Tab | undefined) =>
    tab?.input instanceof vscode.TabInputText && `${tab.input.uri}` === `${uri}`;
  const replacesText = isText(activeTab);
  await vscode.commands.executeCommand('vscode.openWith', uri, editor);
  // Looked for anew: the editor may have made new objects for its tabs, and refuses the old ones.
  const replaced = tabGroups.activeTabGroup.tabs.find((tab) => isText(tab) && !tab.isActive);
  if (replacesText && replaced && !replaced.isDirty) await tabGroups.close(replaced);
}

function getFile(tab: vscode.Tab | undefined): vscode.Uri | undefined {
  const input = tab?.input;
  const isFile = input instanceof vscode.TabInputText || input instanceof vscode.TabInputNotebook;
  return isFile ? input.uri : undefined;
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

/** Messages to and from the views of a renderer, in all visible notebooks. */
interface RendererMessages {
  post(message: unknown): void;
  readonly onDidReceive: vscode.Event<unknown>;
}
