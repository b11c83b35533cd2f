import { type Column, columns, type WireRow } from '../../features/logs/protocol.ts';

interface GridRowProps {
  readonly row: number;
  /** Undefined while it is on its way. */
  readonly data: WireRow | undefined;
  readonly top: number;
  readonly activeColumn: number | undefined;
}

/** One row. The first row of the grid is the header, so that row 0 is its second. */
export function GridRow({ row, data, top, activeColumn }: GridRowProps) {
  return (
    <div
      class={activeColumn === undefined ? 'row' : 'row active'}
      role="row"
      aria-rowindex={row + 2}
      aria-selected={activeColumn !== undefined}
      aria-busy={data === undefined}
      data-row={row}
      data-vscode-context={JSON.stringify({ log: data?.log })}
      style={{ top: `${top}px` }}
    >
      {columns.map((column, index) => (
        <div
          key={column}
          class={`cell ${column}`}
          role="gridcell"
          tabIndex={index === activeColumn ? 0 : -1}
          data-column={index}
          data-vscode-context={JSON.stringify({ column })}
        >
          {data && shownText(data, column)}
        </div>
      ))}
    </div>
  );
}

function shownText(row: WireRow, column: Column): string {
  switch (column) {
    case 'topics':
      return row.topics.join(' ');
    case 'index':
      return row.index.toString();
    default:
      return row[column];
  }
}
