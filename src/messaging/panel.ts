import * as z from 'zod/mini';
import type { ServedMethods } from './channel.ts';

/** Replaces `{0}`, `{1}` … in `text` by the values. */
export function fillTemplate(text: string, ...values: readonly (string | number)[]): string {
  return text.replace(/\{(\d)\}/g, (hole, index) => String(values[Number(index)] ?? hole));
}

/** The verdict on a result, or why loading stopped. */
export type Tone = 'plain' | 'complete' | 'more' | 'unreached' | 'uncertain' | 'cancelled' | 'failed';

/** What the host of every panel serves. */
export interface PanelHostMethods<Opening> {
  /** What a view needs when it is created, or created again after it was hidden. */
  open(): Opening;
}

/** What a panel's view serves to its host. */
export interface PanelView<Shown, Action extends string> {
  show(shown: Shown): void;
  /** Does what a button of the view does, for a command of the editor. */
  act(action: Action): void;
}

/** An error to show. */
export interface PanelError {
  readonly message: string;
  /** Help beyond the titles of the remedies. */
  readonly advice: string | undefined;
  /**
   * Titles of actions besides trying again. The view sends the title back, as the error may be another one by
   * then.
   */
  readonly remedies: readonly string[];
}

/** The title of a pressed button. */
export const buttonTitle = z.string().check(z.maxLength(1000));

export interface LoadingProgress {
  /** Share of the blocks, 0 to 1. */
  readonly share: number;
  readonly label: string;
}

/** A range of rows, `start` counted from 0. Row numbers are valid for one result, in one order of its rows. */
export const rowWindowSchema = z.object({
  resultId: z.string(),
  order: z.int(),
  start: z.int().check(z.minimum(0)),
  count: z.int().check(z.minimum(1), z.maximum(2000)),
});

export type RowWindow = Readonly<z.infer<typeof rowWindowSchema>>;

/** Rows of one request. */
export const PAGE_ROWS = 100;

/** The result and the order that row numbers belong to. */
export type RowNumbering = Pick<RowWindow, 'resultId' | 'order'>;

export interface GridColumn<Id extends string, SortKey extends string = never> {
  readonly id: Id;
  readonly name: string;
  /** Text of its tooltip. */
  readonly hint?: string | undefined;
  /** In pixels, until the user drags it. */
  readonly width: number;
  /** Right-aligned, as for numbers. */
  readonly alignEnd?: boolean;
  /** Sentences, in the font of the window. */
  readonly isProse?: boolean;
  /** Sort key of this column; undefined if rows cannot be sorted by it. */
  readonly sortBy?: SortKey;
  /** Additional context of its cells for the context menu. */
  readonly context?: object;
}

/** Pixels, by column. Parsed, as an older version may have stored them. */
export const columnWidthsSchema = z.record(z.string(), z.number().check(z.minimum(20), z.maximum(4000)));

/** Serves the requests of the host in a view. What is shown is not checked: it comes from the extension itself. */
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

/** A suggestion for a form field. */
export interface Suggestion {
  /** Replaces the typed text. */
  readonly value: string;
  readonly label: string;
  /** Its origin. */
  readonly detail: string;
}

export const MAX_SUGGESTIONS = 50;
