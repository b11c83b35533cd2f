import * as vscode from 'vscode';
import { latePart } from '../../../host/latePart.ts';
import { openKernel } from '../../../host/surface/notebooks/kernel.ts';
import { notebookType } from '../../../manifest.ts';
import type { LogsDeps } from '../panel/deps.ts';
import { type CellAnswers, openCellAnswers } from './cellAnswers.ts';
import { QUESTION_LANGUAGE } from './documentFormat.ts';
import { runCell } from './runCell.ts';

interface NotebookDeps extends Omit<LogsDeps, 'meaning' | 'names'> {
  /** What is loaded with the first cell that runs. */
  readonly answering: () => Promise<Parameters<typeof openCellAnswers>[0]>;
}

/** The kernel that runs the questions of documents. */
export function openChainKernel(deps: NotebookDeps): vscode.Disposable {
  let answers: CellAnswers | undefined;
  const answering = latePart(async () => {
    const opened = await deps.answering();
    answers ??= openCellAnswers(opened);
    return { ...opened, answers };
  });
  const kernel = openKernel({
    ...{ id: 'chainside.chain', notebookType, label: 'Chainside', languageId: QUESTION_LANGUAGE },
    clock: deps.clock,
    run: async (cell) => runCell(cell, await answering()),
    onDidForget: (cells) => answers?.forget(cells),
  });
  return vscode.Disposable.from(kernel, { dispose: () => answers?.dispose() });
}
