import * as vscode from 'vscode';
import { describeFilled, listStateRows, type Network } from '../../../core/index.ts';
import { type FileCheck, formatCheckSummary } from '../../../host/fileChecks.ts';
import { localize } from '../../../host/l10n.ts';
import {
  formatMarkdownHead,
  formatMarkdownParagraphs,
  formatMarkdownRow,
  joinMarkdown,
} from '../../../host/ui/markdownBlocks.ts';
import type { CellOutput } from '../../../host/ui/notebooks.ts';

/** What a cell shows of a check: its verdict, and its values or rows as a table. Undefined without a result. */
export function createCheckOutput(check: FileCheck, network: Network): CellOutput | undefined {
  const { read, code, contractState, state } = check.outcome;
  if (code) return createCodeOutput(check, code);
  if (contractState) return createStateOutput(check, contractState);
  if (!read && state !== 'ok') return undefined;
  const { l10n } = vscode;
  const block = read?.block.toLocaleString(vscode.env.language);
  const lines = [
    ...(block === undefined ? [] : [l10n.t('Block {0} on {1}', block, network.name)]),
    ...check.conclusion,
  ];
  const rows = check.values.map(({ name, type, text }) => [name, type, text]);
  return createTable(lines, [l10n.t('Name'), l10n.t('Type'), l10n.t('Value')], rows);
}

type Outcome = FileCheck['outcome'];

function createCodeOutput(check: FileCheck, code: NonNullable<Outcome['code']>): CellOutput {
  const filled = describeFilled(code, check).map((line) => localize(line, vscode.l10n));
  return createTable([formatCheckSummary(check), ...check.conclusion, ...filled], [], []);
}

/** The verdict, and the first rows. */
function createStateOutput(check: FileCheck, found: NonNullable<Outcome['contractState']>): CellOutput {
  const { l10n } = vscode;
  const { columns, rows, more } = listStateRows(found, check, MAX_ROWS);
  const rest = more.toLocaleString(vscode.env.language);
  const lines = [
    formatCheckSummary(check),
    ...check.conclusion,
    ...(more > 0 ? [l10n.t('{0} more rows are not shown.', rest)] : []),
  ];
  return createTable(
    lines,
    columns.map((column) => localize(column, l10n)),
    rows,
  );
}

const MAX_ROWS = 100;

/** Paragraphs, and a table if it has rows. */
function createTable(
  lines: readonly string[],
  columns: readonly string[],
  rows: readonly (readonly string[])[],
): CellOutput {
  return {
    lines: [...lines, ...rows.map((row) => row.filter((text) => text !== '').join(' '))],
    markdown: joinMarkdown(
      formatMarkdownParagraphs(lines),
      ...(rows.length > 0 ? [formatMarkdownHead(columns.map((name) => ({ name })))] : []),
      ...rows.map(formatMarkdownRow),
    ),
  };
}
