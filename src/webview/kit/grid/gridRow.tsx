import type { GridColumn } from '../../../messaging/panel.ts';

/** `fresh`: it came a moment ago. `struck`: it stands no more, and is about to go. */
export type RowMark = 'fresh' | 'struck';

interface GridRowProps<Column extends string> {
  readonly row: number;
  readonly columns: readonly GridColumn<Column, string>[];
  /** What its cells show; undefined while it is on its way. */
  readonly text: ((column: Column) => string) | undefined;
  /** What a cell stands for in full, where its text does not say it. */
  readonly hint: ((column: Column) => string | undefined) | undefined;
  readonly isMuted: boolean;
  readonly mark: RowMark | undefined;
  readonly context: object;
  readonly top: number;
  readonly activeColumn: number | undefined;
  readonly isSelected: boolean;
}

/** One row. The first row of the grid is the header, so that row 0 is its second. */
export function GridRow<Column extends string>(props: GridRowProps<Column>) {
  const { row, columns, text, hint, isMuted, mark, context, top, activeColumn, isSelected } = props;
  return (
    <div
      class={`row${isSelected ? ' selected' : ''}${isMuted ? ' muted' : ''}${mark ? ` ${mark}` : ''}`}
      role="row"
      aria-rowindex={row + 2}
      aria-selected={isSelected}
      aria-disabled={mark === 'struck' ? true : undefined}
      aria-busy={text === undefined}
      data-row={row}
      data-vscode-context={JSON.stringify(context)}
      style={{ top: `${top}px` }}
    >
      {columns.map(({ id, alignEnd, context: ofColumn }, index) => (
        <div
          key={id}
          class={alignEnd ? 'cell end' : 'cell'}
          role="gridcell"
          title={hint?.(id)}
          tabIndex={index === activeColumn ? 0 : -1}
          data-column={index}
          data-vscode-context={JSON.stringify({ ...ofColumn, column: id })}
        >
          {text?.(id)}
        </div>
      ))}
    </div>
  );
}
