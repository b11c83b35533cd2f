import type { PagedNode } from './addressNodes.ts';
import { PAGE } from './heldNodes.ts';
import { nodeId } from './nodeId.ts';

/** How much is shown of rows that have many, by the id of the row. */
export class Pages {
  /** `row` is as the editor knows it. */
  readonly #pages = new Map<string, { readonly row: PagedNode | undefined; readonly shown: number }>();

  /** How many holdings are shown under `row`, which is being drawn. */
  shownUnder(row: PagedNode): number {
    const id = nodeId(row);
    const shown = this.shown(id);
    this.#pages.set(id, { row, shown });
    return shown;
  }

  shown(rowId: string): number {
    return this.#pages.get(rowId)?.shown ?? PAGE;
  }

  /** The row as it was last drawn. */
  rowOf(rowId: string): PagedNode | undefined {
    return this.#pages.get(rowId)?.row;
  }

  show(rowId: string, shown: number): void {
    this.#pages.set(rowId, { row: this.rowOf(rowId), shown });
  }

  clear(): void {
    this.#pages.clear();
  }
}
