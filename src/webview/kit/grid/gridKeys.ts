/** A cell of the grid. Row -1 is the header. */
export interface GridCell {
  readonly row: number;
  readonly column: number;
}

interface GridSize {
  readonly rows: number;
  readonly columns: number;
  /** Rows that one page of the view holds. */
  readonly pageRows: number;
}

/** The cell that a key moves to, as the grid pattern of ARIA has it; undefined for a key that does not move. */
export function cellAfterKey(
  { key, ctrlKey }: { readonly key: string; readonly ctrlKey: boolean },
  { row, column }: GridCell,
  { rows, columns, pageRows }: GridSize,
): GridCell | undefined {
  const lastRow = rows - 1;
  const lastColumn = columns - 1;
  const toRow = (target: number) => ({ row: Math.min(Math.max(target, -1), lastRow), column });
  const toColumn = (target: number) => ({ row, column: Math.min(Math.max(target, 0), lastColumn) });
  switch (key) {
    case 'ArrowUp':
      return toRow(row - 1);
    case 'ArrowDown':
      return toRow(row + 1);
    case 'ArrowLeft':
      return toColumn(column - 1);
    case 'ArrowRight':
      return toColumn(column + 1);
    case 'PageUp':
      return toRow(Math.max(row - pageRows, Math.min(row, 0)));
    case 'PageDown':
      return toRow(row + pageRows);
    case 'Home':
      return ctrlKey ? { row: Math.min(0, lastRow), column: 0 } : toColumn(0);
    case 'End':
      return ctrlKey ? { row: lastRow, column: lastColumn } : toColumn(lastColumn);
    default:
      return undefined;
  }
}
