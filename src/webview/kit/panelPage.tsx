import { effect } from '@preact/signals';
import { type ComponentType, render } from 'preact';
import type * as z from 'zod/mini';
import { type Channel, type Contract, openChannel, type ServedMethods } from '../../messaging/channel.ts';
import { type PanelHostMethods, type PanelView, servePanelView } from '../../messaging/panel.ts';
import { type FocusPlace, getFocusPlace } from './panelState.ts';

/** What makes one panel's page. */
interface PanelPage<Host, State, Shown, Action extends string, Kept> {
  /** What an earlier page of the panel kept, if it is of this form. */
  readonly savedStateSchema: z.ZodMiniType<Kept>;
  readonly actions: readonly Action[];
  readonly createState: (
    host: Channel<Host>,
    opening: Opening<Host>,
    savedStateSchema: Kept | undefined,
  ) => State;
  /** Takes in what the host tells. */
  readonly show: (state: State, shown: Shown, focus: FocusPlace) => void;
  /** Does what the button of that name does. */
  readonly act: (state: State, action: Action) => void;
  /** What to keep while the page is away. */
  readonly getStateToSave: (state: State) => Kept;
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
  restoreFocusOnReturn();
  const root = document.getElementById('root');
  if (root) openPage(page, root).catch((error: unknown) => root.replaceChildren(String(error)));
}

async function openPage<
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
        if (state) page.show(state, shown, getFocusPlace());
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
  const kept = page.savedStateSchema.safeParse(getSavedState());
  const created = page.createState(host, opening, kept.success ? kept.data : undefined);
  state = created;
  if (early !== undefined) page.show(created, early, getFocusPlace());
  else page.begin?.(created);
  page.enter?.(created, getFocusPlace());
  saveStateOnChange(() => page.getStateToSave(created));
  render(<page.Page state={created} />, root);
}

const api = acquireVsCodeApi<unknown>();

/** The one conversation of this page with the extension. `methods` is what the extension may call here. */
function connectHost<View extends Contract<View>, Host extends Contract<Host>>(
  methods: ServedMethods<View>,
): Channel<Host> {
  const channel = openChannel<View, Host>({
    post: (message) => api.postMessage(message),
    methods,
    toWireError: (error) => ({
      code: 'view',
      message: error instanceof Error ? error.message : String(error),
    }),
  });
  window.addEventListener('message', ({ data }) => channel.receive(data));
  return channel;
}

/** What this page kept for the time when it was hidden: of any shape, since an older version may have kept it. */
function getSavedState(): unknown {
  return api.getState();
}

/** Keeps what `state` gives, plain data, until the editor tab is closed, a moment after a signal in it has changed. */
function saveStateOnChange(state: () => unknown): void {
  let waiting: ReturnType<typeof setTimeout> | undefined;
  effect(() => {
    const kept = state();
    clearTimeout(waiting);
    waiting = setTimeout(() => api.setState(kept), 100);
  });
}

/**
 * Gives the focus back to what had it in the page, when the keyboard comes back to the page: the browser forgets it when
 * another part of the window takes the keyboard, as a list to pick from does.
 */
function restoreFocusOnReturn(): void {
  let last: HTMLElement | undefined;
  addEventListener('focusin', ({ target }) => {
    if (target instanceof HTMLElement) last = target;
  });
  addEventListener('focus', () => {
    if (document.activeElement === document.body && last?.isConnected) last.focus({ preventScroll: true });
  });
}
