import * as vscode from 'vscode';
import { digestRows, formatVerdictLine } from '../../../core/index.ts';
import type { CellOutput, CellRun } from '../../../host/surface/notebooks/kernel.ts';
import type { OpenedDeps } from '../panel/deps.ts';
import { type AnswerOutput, answerMime } from '../protocol/notebook.ts';
import { askedQuestion } from './askedQuestion.ts';
import type { CellAnswer, CellAnswers } from './cellAnswers.ts';
import { keptVerdict } from './documentFormat.ts';

/** Rows that stand in the text of an output; all are in its view. */
const ROWS_IN_TEXT = 20;

interface RunDeps extends Omit<OpenedDeps, 'titles'> {
  readonly answers: CellAnswers;
}

/** Runs the question of a cell and shows its answer below it. Resolves to whether all was read that was asked for. */
export async function runCell(cell: CellRun, deps: RunDeps): Promise<boolean> {
  const asked = await askedQuestion(cell.text, deps);
  if (asked.refusal) {
    deps.answers.forget([cell.cell]);
    await cell.refuse(asked.refusal);
    return false;
  }
  if (cell.signal.aborted) return false;
  const answer = deps.answers.open(cell.cell, asked.network);
  const { panel } = answer;
  cell.signal.addEventListener('abort', () => panel.results.cancel(), { once: true });
  const loading = panel.runAll(asked.form);
  await cell.show(outputOf(answer));
  const { problems } = await loading;
  const problem = Object.values(problems)[0];
  if (problem !== undefined) {
    await cell.refuse([problem]);
    return false;
  }
  await cell.show(await withRows(answer));
  await keepVerdict(cell, answer, deps);
  return panel.results.error === undefined && panel.results.notice !== 'cancelled';
}

function outputOf({ id, panel }: CellAnswer): CellOutput {
  const lines = panel.words();
  const gone = vscode.l10n.t('The rows are not here any more. Run the cell again.');
  const value: AnswerOutput = { answer: id, gone: [...lines, gone].join('\n').slice(0, 2000) };
  return { data: { mime: answerMime, value }, lines };
}

async function withRows(answer: CellAnswer): Promise<CellOutput> {
  const output = outputOf(answer);
  const table = await answer.panel.rows.firstAs('markdown', ROWS_IN_TEXT);
  const text = await answer.panel.rows.firstAs('tsv', ROWS_IN_TEXT);
  const words = output.lines.map((line) => `${line}\n\n`).join('');
  return {
    ...output,
    lines: [...output.lines, ...(text ?? '').split('\n')],
    ...(table && { markdown: words + table }),
  };
}

/** Writes down what a complete answer came to, where the user wants that: one that is not complete is worth nothing later. */
async function keepVerdict(cell: CellRun, { panel }: CellAnswer, deps: RunDeps): Promise<void> {
  if (!deps.settings.isEnabled('chainside.documents.verdicts', cell.document)) return;
  const { verdict, rows } = panel.actions.exportable ?? {};
  if (!rows || verdict?.state !== 'complete' || panel.results.error !== undefined) return;
  const sha256 = await digestRows(rows, { order: verdict.order, clock: deps.clock });
  const line = formatVerdictLine({ count: rows.length, toBlock: verdict.toBlock, sha256 });
  const kept = keptVerdict(cell.kept);
  const isThere = (kept.verdict ?? kept.after).includes(line);
  if (!isThere) await cell.keep({ verdict: line });
}
