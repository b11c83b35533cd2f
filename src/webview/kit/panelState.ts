import { type ReadonlySignal, type Signal, signal } from '@preact/signals';
import { type Channel, type Params, RemoteError, type Result } from '../../messaging/channel.ts';
import { fillTemplate } from '../../messaging/panel.ts';

/** What the state of every panel has, besides what is its own. */
export interface PanelState<Host, Snapshot, Strings> {
  readonly strings: Strings;
  readonly host: Channel<Host>;
  /** What the host told last. */
  readonly snapshot: Signal<Snapshot>;
  /** The reasons of the status are open. */
  readonly reasonsOpen: Signal<boolean>;
  /** Set when the extension failed to do what was asked. */
  readonly hostError: Signal<string | undefined>;
}

export function createPanelState<Host, Snapshot, Strings>(
  host: Channel<Host>,
  opening: { readonly strings: Strings; readonly snapshot: Snapshot },
): PanelState<Host, Snapshot, Strings> {
  return {
    strings: opening.strings,
    host,
    snapshot: signal(opening.snapshot),
    reasonsOpen: signal(false),
    hostError: signal(undefined),
  };
}

/** What a question to the host takes: whom to ask, and where and in which words a failure is shown. */
interface HostCaller<Host> {
  readonly host: Channel<Host>;
  readonly strings: { readonly hostFailed: string };
  readonly hostError: Signal<string | undefined>;
}

/** The host's answer; undefined if the request was aborted or failed, which the page then says. */
export async function callHost<Host, M extends keyof Host & string>(
  { host, strings, hostError }: HostCaller<Host>,
  method: M,
  ...[params]: Params<Host[M]> extends undefined ? [] : [params: Params<Host[M]>]
): Promise<Result<Host[M]> | undefined> {
  try {
    return await host.request(method, params as Params<Host[M]>);
  } catch (error) {
    if (error instanceof RemoteError && error.code === 'aborted') return undefined;
    hostError.value = fillTemplate(
      strings.hostFailed,
      error instanceof Error ? error.message : String(error),
    );
    return undefined;
  }
}

interface LatestRequest {
  /** The answer; undefined where another question was asked meanwhile, none is wanted any more, or it failed. */
  run<T>(question: (options: { readonly signal: AbortSignal }) => Promise<T>): Promise<T | undefined>;
  /** Wants no answer any more. */
  cancel(): void;
}

/** Questions of which only the last one counts: those before are aborted, and what they answer all the same is dropped. */
export function createLatestRequest(): LatestRequest {
  let asking: AbortController | undefined;
  return {
    async run(question) {
      asking?.abort();
      const turn = new AbortController();
      asking = turn;
      const answer = await question(turn).catch(() => undefined);
      return turn.signal.aborted ? undefined : answer;
    },
    cancel: () => asking?.abort(),
  };
}

/** Does one and the same work once at a time: called meanwhile, it is done once more after that. */
export function oneAtATime(work: () => Promise<unknown>): () => Promise<void> {
  let working = false;
  let again = false;
  return async () => {
    again = true;
    if (working) return;
    working = true;
    try {
      while (again) {
        again = false;
        await work();
      }
    } finally {
      working = false;
    }
  };
}

/**
 * Where the keyboard is, or will be once the page has it: fields keep the focus whatever happens, and a grid gives it on
 * from row to row. `page` is where nothing in the page was chosen yet.
 */
export type FocusPlace = 'grid' | 'field' | 'page' | 'elsewhere';

export function getFocusPlace(): FocusPlace {
  const { activeElement, body } = document;
  if (activeElement?.closest('[role="grid"]')) return 'grid';
  const isField = activeElement instanceof HTMLTextAreaElement || activeElement instanceof HTMLInputElement;
  if (isField) return 'field';
  return activeElement === body ? 'page' : 'elsewhere';
}

/** The pixels between the sides of the view, however it is resized. */
export function trackViewWidth(): ReadonlySignal<number> {
  const width = signal(document.documentElement.clientWidth);
  addEventListener('resize', () => {
    width.value = document.documentElement.clientWidth;
  });
  return width;
}
