import * as vscode from 'vscode';
import {
  digestContents,
  emptyForm,
  type FiledCheck,
  formatVerdictLine,
  isAppError,
  type Network,
  type QueryForm,
} from '../../../core/index.ts';
import { lazyPart } from '../../../host/commands.ts';
import { type FileCheck, runFileCheck } from '../../../host/fileChecks.ts';
import { formatMarkdownParagraphs, joinMarkdown } from '../../../host/ui/markdownBlocks.ts';
import {
  type CellOutput,
  type CellRun,
  createKernel,
  createRendererMessages,
} from '../../../host/ui/notebooks.ts';
import { notebookType } from '../../../manifest.ts';
import type { RowsFormat } from '../../../messaging/rowSelection.ts';
import { LogsPanel, type LogsSurface } from '../panel/logsPanel.ts';
import { type LogsDeps, type PanelServices, TabTitles } from '../panel/panelServices.ts';
import type { GroupChoice } from '../protocol/groups.ts';
import {
  type ResultMessage,
  type ResultOutput,
  resultMessageSchema,
  resultMime,
  resultRendererId,
} from '../protocol/protocol.ts';
import { createCheckOutput } from './checkOutput.ts';
import { getRecordedVerdict, QUERY_LANGUAGE } from './documentFormat.ts';
import { resolveDocumentQuery } from './documentQuery.ts';

interface NotebookDeps extends Omit<LogsDeps, 'meaning' | 'names'> {
  /** Loaded when the first cell runs. */
  readonly loadServices: () => Promise<Parameters<typeof openCellResults>[0]>;
}

/** Creates the kernel that runs queries in documents. */
export function openChainKernel(deps: NotebookDeps): vscode.Disposable {
  let results: CellResults | undefined;
  const loadRunDeps = lazyPart(async () => {
    const opened = await deps.loadServices();
    results ??= openCellResults(opened);
    return { ...opened, results };
  });
  const kernel = createKernel({
    id: 'chainside.chain',
    notebookType,
    label: 'Chainside',
    languageId: QUERY_LANGUAGE,
    clock: deps.clock,
    run: async (cell) => runCell(cell, await loadRunDeps()),
    onDidForget: (cells) => results?.forget(cells),
  });
  return vscode.Disposable.from(kernel, { dispose: () => results?.dispose() });
}

interface RunDeps extends Omit<PanelServices, 'titles'> {
  readonly results: CellResults;
}

/** Runs the query of a cell and shows the result below it. Resolves to whether it was read to its end. */
async function runCell(cell: CellRun, deps: RunDeps): Promise<boolean> {
  const query = await resolveDocumentQuery(cell.text, deps);
  if (query.errors) {
    deps.results.forget([cell.cell]);
    await cell.showError(query.errors);
    return false;
  }
  if (cell.signal.aborted) return false;
  if (query.check) return runCheckCell(cell, query, deps);
  const result = deps.results.open(cell.cell, query.network);
  const { panel } = result;
  cell.signal.addEventListener('abort', () => panel.results.cancel(), { once: true });
  panel.groups.choose(query.groups);
  const loading = panel.runAll(query.form);
  await cell.show(createOutput(result));
  const { errors } = await loading;
  const firstError = Object.values(errors)[0];
  if (firstError !== undefined) {
    await cell.showError([firstError]);
    return false;
  }
  await cell.show(await createOutputWithRows(result));
  await storeVerdict(cell, result, deps);
  return panel.results.error === undefined && panel.results.notice !== 'cancelled';
}

/** Runs a check and shows its result below it. Resolves to whether it is as expected. */
async function runCheckCell(
  cell: CellRun,
  { check: definition, network }: { readonly check: FiledCheck; readonly network: Network },
  deps: RunDeps,
): Promise<boolean> {
  deps.results.forget([cell.cell]);
  const services = { ...deps, names: async () => deps.names, meaning: async () => deps.meaning };
  let check: FileCheck;
  try {
    check = await runFileCheck(definition, network, services, { signal: cell.signal });
  } catch (error) {
    if (isAppError(error, 'aborted')) return false;
    throw error;
  }
  const output = createCheckOutput(check, network);
  if (output) await cell.show(output);
  else await cell.showError(check.conclusion);
  return check.outcome.state === 'ok';
}

function createOutput({ id, panel }: CellResult): CellOutput {
  const lines = panel.describe();
  const gone = vscode.l10n.t('The rows are no longer available. Run the cell again.');
  const value: ResultOutput = { resultId: id, gone: [...lines, gone].join('\n').slice(0, 2000) };
  return { data: { mime: resultMime, value }, lines };
}

/** Rows in the text form of an output; its view has all of them. */
const ROWS_IN_TEXT = 20;

async function createOutputWithRows(result: CellResult): Promise<CellOutput> {
  const { rows, groups } = result.panel;
  const format = <Format extends RowsFormat>(as: Format) =>
    groups.areShown ? groups.formatFirst(as, ROWS_IN_TEXT) : rows.formatFirstRows(as, ROWS_IN_TEXT);
  const table = await format('markdown');
  const text = await format('tsv');
  // The verdict on groups is known once they are made.
  const output = createOutput(result);
  return {
    ...output,
    lines: [...output.lines, ...(text ?? '').split('\n')],
    ...(table && { markdown: joinMarkdown(formatMarkdownParagraphs(output.lines), table) }),
  };
}

/**
 * Records the verdict in the document if the setting allows it. Only that of a complete result is useful
 * later.
 */
async function storeVerdict(cell: CellRun, { panel }: CellResult, deps: RunDeps): Promise<void> {
  if (!deps.settings.isEnabled('chainside.documents.verdicts', cell.document)) return;
  const { verdict, rows } = panel.actions.exportable ?? {};
  if (!rows || verdict?.state !== 'complete' || panel.results.error !== undefined) return;
  const contentSha256 = await digestContents(rows, { order: verdict.order, clock: deps.clock });
  const line = formatVerdictLine({ count: rows.length, toBlock: verdict.toBlock, contentSha256 });
  const recorded = getRecordedVerdict(cell.metadata);
  const isRecorded = (recorded.verdict ?? recorded.after).includes(line);
  if (!isRecorded) await cell.updateMetadata({ verdict: line });
}

/** Results that stay in memory for cells; the oldest is dropped first, and its cell can run again. */
const MAX_CELL_RESULTS = 64;

/** The result of a cell: a log panel without a tab. */
interface CellResult {
  readonly id: string;
  readonly panel: LogsPanel<LogsSurface>;
}

interface CellResults extends vscode.Disposable {
  /** Opens an empty result, which replaces the cell's earlier one. */
  open(cell: string, network: Network): CellResult;
  /** Drops the results of cells whose output is gone. */
  forget(cells: readonly string[]): void;
}

interface CellResultsDeps extends Omit<PanelServices, 'titles'> {
  readonly runInPanel: (form: QueryForm, network: Network, groups: GroupChoice | undefined) => unknown;
}

/** The results by cell, each with its view in a notebook output. */
function openCellResults(deps: CellResultsDeps): CellResults {
  const messages = createRendererMessages(resultRendererId);
  const titles = new TabTitles();
  const results = new Map<string, CellResult & vscode.Disposable>();

  function open(cell: string, network: Network): CellResult {
    forget([cell]);
    const id = crypto.randomUUID();
    const received = new vscode.EventEmitter<unknown>();
    const subscription = messages.onDidReceive((data) => {
      const { output, message } = resultMessageSchema.safeParse(data).data ?? {};
      if (output === id) received.fire(message);
    });
    const surface: LogsSurface = {
      title: '',
      webview: {
        onDidReceiveMessage: received.event,
        async postMessage(message) {
          messages.post({ output: id, message } satisfies ResultMessage);
          return true;
        },
      },
      runElsewhere: (form) => deps.runInPanel(form, network, panel.groups.view.choice),
    };
    const panel: LogsPanel<LogsSurface> = new LogsPanel(surface, { ...deps, titles }, emptyForm);
    panel.useNetwork(network);
    const dispose = () => {
      subscription.dispose();
      panel.dispose();
      received.dispose();
    };
    const opened = { id, panel, dispose };
    results.set(cell, opened);
    const [oldest] = results.keys();
    if (results.size > MAX_CELL_RESULTS && oldest !== undefined) forget([oldest]);
    return opened;
  }

  function forget(cells: readonly string[]): void {
    for (const cell of cells) {
      results.get(cell)?.dispose();
      results.delete(cell);
    }
  }

  return {
    open,
    forget,
    dispose() {
      forget([...results.keys()]);
      messages.dispose();
    },
  };
}
