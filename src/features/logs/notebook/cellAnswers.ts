import * as vscode from 'vscode';
import { emptyForm, type Network, type QueryForm } from '../../../core/index.ts';
import { openRendererMessages } from '../../../host/surface/notebooks/rendererMessages.ts';
import type { OpenedDeps } from '../panel/deps.ts';
import { LogsPanel, type LogsSurface } from '../panel/logsPanel.ts';
import { TabTitles } from '../panel/tabTitles.ts';
import { type AnswerMessage, answerMessage, rendererId } from '../protocol/notebook.ts';

/** Answers whose rows are held for cells; the oldest goes first, and can be asked again. */
const MOST_ANSWERS = 64;

/** The answer of a cell: what a log panel has, but for the tab. */
export interface CellAnswer {
  readonly id: string;
  readonly panel: LogsPanel<LogsSurface>;
}

export interface CellAnswers extends vscode.Disposable {
  /** An answer of `network` that takes the place of the one that the cell had. */
  open(cell: string, network: Network): CellAnswer;
  /** Lets go of the rows of cells whose output is not there any more. */
  forget(cells: readonly string[]): void;
}

interface AnswersDeps extends Omit<OpenedDeps, 'titles'> {
  /** Runs a query in a log panel of its own. */
  readonly runInPanel: (form: QueryForm, network: Network) => unknown;
}

/** The answers of cells by cell, each with its view in the outputs of notebooks. */
export function openCellAnswers(deps: AnswersDeps): CellAnswers {
  const messages = openRendererMessages(rendererId);
  const titles = new TabTitles();
  const answers = new Map<string, CellAnswer & vscode.Disposable>();

  function open(cell: string, network: Network): CellAnswer {
    forget([cell]);
    const id = crypto.randomUUID();
    const received = new vscode.EventEmitter<unknown>();
    const listening = messages.onDidReceive((data) => {
      const { output, message } = answerMessage.safeParse(data).data ?? {};
      if (output === id) received.fire(message);
    });
    const surface: LogsSurface = {
      title: '',
      webview: {
        onDidReceiveMessage: received.event,
        async postMessage(message) {
          messages.post({ output: id, message } satisfies AnswerMessage);
          return true;
        },
      },
      runElsewhere: (form) => deps.runInPanel(form, network),
    };
    const panel = new LogsPanel(surface, { ...deps, titles }, emptyForm);
    panel.ask(network);
    const dispose = () => {
      listening.dispose();
      panel.dispose();
      received.dispose();
    };
    const opened = { id, panel, dispose };
    answers.set(cell, opened);
    const [oldest] = answers.keys();
    if (answers.size > MOST_ANSWERS && oldest !== undefined) forget([oldest]);
    return opened;
  }

  function forget(cells: readonly string[]): void {
    for (const cell of cells) {
      answers.get(cell)?.dispose();
      answers.delete(cell);
    }
  }

  return {
    ...{ open, forget },
    dispose() {
      forget([...answers.keys()]);
      messages.dispose();
    },
  };
}
