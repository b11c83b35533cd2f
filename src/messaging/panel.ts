import * as z from 'zod/mini';
import type { ServedMethods } from './channel.ts';

/** `text` with `{0}`, `{1}` … replaced by the values. */
export function fillTemplate(text: string, ...values: readonly (string | number)[]): string {
  return text.replace(/\{(\d)\}/g, (hole, index) => String(values[Number(index)] ?? hole));
}

/** What an answer is worth, or why it stopped, at a glance. */
export type Tone = 'plain' | 'complete' | 'more' | 'uncertain' | 'cancelled' | 'failed';

/** What every panel's host serves, besides what is its own. */
export interface PanelHostMethods<Opening> {
  /** What a view needs to begin, or to begin again after it was hidden. */
  open(): Opening;
}

/** What the host tells a panel's view. */
export interface PanelView<Shown, Action extends string> {
  show(shown: Shown): void;
  /** Does what a button of the view does: a command of the editor asks for it. */
  act(action: Action): void;
}

/** Why something failed, in words. */
export interface PanelError {
  readonly message: string;
  /** What helps, where more can be said than the titles of the remedies. */
  readonly advice: string | undefined;
  /** Titles of what can be done besides trying again. The host gets the title, as the problem may be another by then. */
  readonly remedies: readonly string[];
}

/** What a button is called that was pressed. */
export const buttonTitle = z.string().check(z.maxLength(1000));

/** How far loading has come. */
export interface LoadingProgress {
  /** Of the blocks, 0 to 1. */
  readonly share: number;
  readonly label: string;
}

/** A stretch of rows, `start` counted from 0. Row numbers hold for one answer, in one order of its rows. */
export const rowWindowSchema = z.object({
  answer: z.string(),
  order: z.int(),
  start: z.int().check(z.minimum(0)),
  count: z.int().check(z.minimum(1), z.maximum(2000)),
});

export type RowWindow = Readonly<z.infer<typeof rowWindowSchema>>;

/** Rows that a view asks for at once. */
export const PAGE_ROWS = 100;

/** What row numbers mean. */
export type RowNumbering = Pick<RowWindow, 'answer' | 'order'>;

/** A column of a grid, as it is drawn. */
export interface GridColumn<Id extends string, SortKey extends string = never> {
  readonly id: Id;
  readonly name: string;
  /** What there is to know of it besides. */
  readonly hint?: string | undefined;
  /** In pixels, until the user drags it. */
  readonly width: number;
  /** Whether its texts end at the right border, as numbers do. */
  readonly alignEnd?: boolean;
  /** What rows are sorted by when this column is chosen; undefined where they cannot be. */
  readonly sortBy?: SortKey;
  /** What the context menu gets to know of its cells besides. */
  readonly context?: object;
}

/** Pixels, by column: as an older version may have kept them. */
export const columnWidthsSchema = z.record(z.string(), z.number().check(z.minimum(20), z.maximum(4000)));

/** How a view serves its host. It believes what it is shown, which is the extension's own, and does only what it can. */
export function servePanelView<Shown, Action extends string>({
  actions,
  show,
  act,
}: {
  readonly actions: readonly Action[];
  readonly show: (shown: Shown) => void;
  readonly act: (action: Action) => void;
}): ServedMethods<PanelView<Shown, Action>> {
  // The page's content policy forbids building functions from text.
  z.config({ jitless: true });
  return {
    show: { params: z.custom<Shown>(), handle: show },
    act: { params: z.enum(actions as readonly [Action, ...Action[]]), handle: act },
  };
}
