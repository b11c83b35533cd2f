import type { Row, Section } from './benchmark.ts';

/** Prints a section as a table in columns; a budget says whether it is held. */
export function printSection({ title, how, columns, rows }: Section): void {
  const hasBudgets = rows.some(({ budget }) => budget);
  const lines = [
    [...columns, ...(hasBudgets ? ['budget', ''] : [])],
    ...rows.map((row) => [...row.cells, ...(hasBudgets ? budgetCells(row) : [])]),
  ];
  const widths = columns
    .concat('', '')
    .map((_, column) => Math.max(...lines.map((line) => line[column]?.length ?? 0)));
  console.log(`\n${title}\n${how}`);
  for (const line of lines) {
    console.log(`  ${line.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join('  ')}`.trimEnd());
  }
}

function budgetCells({ budget }: Row): readonly string[] {
  return budget ? [budget.words, budget.held ? 'held' : 'NOT HELD'] : ['', ''];
}
