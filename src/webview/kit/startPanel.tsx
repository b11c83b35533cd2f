import { type ComponentType, render } from 'preact';
import type * as z from 'zod/mini';
import type { Channel } from '../../messaging/channel.ts';
import type { Contract } from '../../messaging/contract.ts';
import type { PanelHostMethods, PanelView } from '../../messaging/panel.ts';
import { servePanelView } from '../../messaging/panelView.ts';
import { type FocusPlace, focusPlace } from './focusPlace.ts';
import { connectHost, keepAsItChanges, keptState } from './host.ts';
import { keepFocus } from './keepFocus.ts';

/** What makes one panel's page. */
interface PanelPage<Host, State, Shown, Action extends string, Kept> {
  /** What an earlier page of the panel kept, if it is of this form. */
  readonly kept: z.ZodMiniType<Kept>;
  readonly actions: readonly Action[];
  readonly createState: (host: Channel<Host>, opening: Opening<Host>, kept: Kept | undefined) => State;
  /** Takes in what the host tells. */
  readonly show: (state: State, shown: Shown, focus: FocusPlace) => void;
  /** Does what the button of that name does. */
  readonly act: (state: State, action: Action) => void;
  /** What to keep while the page is away. */
  readonly keep: (state: State) => Kept;
  /** Takes in what came with the opening, where nothing newer came meanwhile. */
  readonly begin?: (state: State) => void;
  /** Gives the keyboard to what one goes on with, in a page that has just come. */
  readonly enter?: (state: State, focus: FocusPlace) => void;
  readonly Page: ComponentType<{ readonly state: State }>;
}

type Opening<Host> = Host extends PanelHostMethods<infer O> ? O : never;

/** Connects the page with its host and draws it, as soon as the host has told what to begin with. */
export function startPanel<
  Host extends Contract<Host> & PanelHostMethods<unknown>,
  State,
  Shown,
  Action extends string,
  Kept,
>(page: PanelPage<Host, State, Shown, Action, Kept>): void {
  keepFocus();
  const root = document.getElementById('root');
  if (root) open(page, root).catch((error: unknown) => root.replaceChildren(String(error)));
}

async function open<
  Host extends Contract<Host> & PanelHostMethods<unknown>,
  State,
  Shown,
  Action extends string,
  Kept,
>(page: PanelPage<Host, State, Shown, Action, Kept>, root: HTMLElement): Promise<void> {
  let state: State | undefined;
  let early: Shown | undefined;
  const host: Channel<Host> = connectHost<PanelView<Shown, Action>, Host>(
    servePanelView<Shown, Action>({
      actions: page.actions,
      show: (shown) => {
        if (state) page.show(state, shown, focusPlace());
        else early = shown;
      },
      act: (action) => {
        if (state) page.act(state, action);
      },
    }),
  );
  const opening = await (host as unknown as Channel<PanelHostMethods<Opening<Host>>>).request(
    'open',
    undefined,
  );
  const kept = page.kept.safeParse(keptState());
  const created = page.createState(host, opening, kept.success ? kept.data : undefined);
  state = created;
  if (early !== undefined) page.show(created, early, focusPlace());
  else page.begin?.(created);
  page.enter?.(created, focusPlace());
  keepAsItChanges(() => page.keep(created));
  render(<page.Page state={created} />, root);
}
