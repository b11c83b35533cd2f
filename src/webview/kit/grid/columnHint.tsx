import type { ReadonlySignal } from '@preact/signals';

const WIDEST = 360;
export const COLUMN_HINT_ID = 'column-hint';

/** What the hint of a column says, and where on the page. */
export interface ColumnHint {
  readonly text: string;
  readonly left: number;
  readonly top: number;
}

/** A hint below the column name `element`, within the page. */
export function hintBelow(element: HTMLElement, text: string): ColumnHint {
  const { left, bottom } = element.getBoundingClientRect();
  const rightmost = document.documentElement.clientWidth - WIDEST;
  return { text, left: Math.max(0, Math.min(left, rightmost)), top: bottom + 2 };
}

/** The hint of the column name that the keyboard is on; the pointer has the tooltip of the browser. */
export function ColumnHintBox({ hint }: { readonly hint: ReadonlySignal<ColumnHint | undefined> }) {
  if (!hint.value) return null;
  const { text, left, top } = hint.value;
  return (
    <div
      class="column-hint"
      id={COLUMN_HINT_ID}
      role="tooltip"
      style={{ left: `${left}px`, top: `${top}px`, maxWidth: `${WIDEST}px` }}
    >
      {text}
    </div>
  );
}
