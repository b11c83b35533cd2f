import { effect } from '@preact/signals';
import { type ComponentType, render } from 'preact';
import type * as z from 'zod/mini';
import { type Channel, type Contract, openChannel, type ServedMethods } from '../../messaging/channel.ts';
import { type PanelHostMethods, type PanelView, servePanelView } from '../../messaging/panel.ts';
import { type FocusPlace, getFocusPlace } from './panelState.ts';

/** Connects the page with its host and renders it as soon as the host has sent the opening. */
export function startPanel<
  Host extends Contract<Host> & PanelHostMethods<unknown>,
  State,
  Shown,
  Action extends string,
  Saved,
>(page: PanelPage<Host, State, Shown, Action, Saved>): void {
  restoreFocusOnReturn();
  const root = document.getElementById('root');
  if (root) openPage(page, root).catch((error: unknown) => root.replaceChildren(String(error)));
}

async function openPage<
  Host extends Contract<Host> & PanelHostMethods<unknown>,
  State,
  Shown,
  Action extends string,
  Saved,
>(page: PanelPage<Host, State, Shown, Action, Saved>, root: HTMLElement): Promise<void> {
  let state: State | undefined;
  let earlyShown: Shown | undefined;
  const host: Channel<Host> = connectHost<PanelView<Shown, Action>, Host>(
    servePanelView<Shown, Action>({
      actions: page.actions,
      show: (shown) => {
        if (state) page.show(state, shown, getFocusPlace());
        else earlyShown = shown;
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
  const saved = page.savedStateSchema.safeParse(getSavedState());
  const createdState = page.createState(host, opening, saved.success ? saved.data : undefined);
  state = createdState;
  if (earlyShown !== undefined) page.show(createdState, earlyShown, getFocusPlace());
  else page.begin?.(createdState);
  page.enter?.(createdState, getFocusPlace());
  saveStateOnChange(() => page.getStateToSave(createdState));
  render(<page.Page state={createdState} />, root);
}

/** The parts of a panel's page. */
interface PanelPage<Host, State, Shown, Action extends string, Saved> {
  /** Parses the state that an earlier page of the panel saved; other state is ignored. */
  readonly savedStateSchema: z.ZodMiniType<Saved>;
  readonly actions: readonly Action[];
  readonly createState: (host: Channel<Host>, opening: Opening<Host>, saved: Saved | undefined) => State;
  /** Shows what the host sends. */
  readonly show: (state: State, shown: Shown, focus: FocusPlace) => void;
  /** Performs the action of a button. */
  readonly act: (state: State, action: Action) => void;
  /** The state to save while the page is hidden. */
  readonly getStateToSave: (state: State) => Saved;
  /** Shows the opening, unless newer data has arrived since. */
  readonly begin?: (state: State) => void;
  /** Sets the focus in a new page. */
  readonly enter?: (state: State, focus: FocusPlace) => void;
  readonly Page: ComponentType<{ readonly state: State }>;
}

type Opening<Host> = Host extends PanelHostMethods<infer O> ? O : never;

const api = acquireVsCodeApi<unknown>();

/** Opens the only channel of this page to the extension, which may call `methods` here. */
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

/** The saved state, of any shape: an older version may have saved it. */
function getSavedState(): unknown {
  return api.getState();
}

/** Saves the plain data of `state` until the editor tab is closed, shortly after a signal in it has changed. */
function saveStateOnChange(getState: () => unknown): void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  effect(() => {
    const value = getState();
    clearTimeout(timer);
    timer = setTimeout(() => api.setState(value), 100);
  });
}

/**
 * Restores the focus of the page when the keyboard returns to it: the browser forgets it when another part of the
 * window takes the focus, such as a quick pick.
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
