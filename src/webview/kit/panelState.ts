import { type ReadonlySignal, type Signal, signal } from '@preact/signals';
import { type Channel, type Params, RemoteError, type Result } from '../../messaging/channel.ts';
import { fillTemplate } from '../../messaging/panel.ts';

/** The state that every panel has. */
export interface PanelState<Host, Snapshot, Strings> {
  readonly strings: Strings;
  readonly host: Channel<Host>;
  /** The latest snapshot of the host. */
  readonly snapshot: Signal<Snapshot>;
  readonly reasonsOpen: Signal<boolean>;
  /** Set when a request to the extension failed. */
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

/**
 * Sends a request to the host. Resolves to undefined if it was aborted or failed; the page then shows the error.
 */
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

/** What a request to the host needs, and where an error is shown. */
interface HostCaller<Host> {
  readonly host: Channel<Host>;
  readonly strings: { readonly hostFailed: string };
  readonly hostError: Signal<string | undefined>;
}

/** Creates requests of which only the latest counts: starting one aborts the one before, and drops its result. */
export function createLatestRequest(): LatestRequest {
  let current: AbortController | undefined;
  return {
    async run(request) {
      current?.abort();
      const controller = new AbortController();
      current = controller;
      const result = await request(controller).catch(() => undefined);
      return controller.signal.aborted ? undefined : result;
    },
    cancel: () => current?.abort(),
  };
}

interface LatestRequest {
  /** Resolves to undefined if a later request was started, the request was cancelled, or it failed. */
  run<T>(question: (options: { readonly signal: AbortSignal }) => Promise<T>): Promise<T | undefined>;
  /** Aborts the running request. */
  cancel(): void;
}

/** Runs `work` once at a time. Calls during a run cause one more run after it. */
export function oneAtATime(work: () => Promise<unknown>): () => Promise<void> {
  let isRunning = false;
  let runAgain = false;
  return async () => {
    runAgain = true;
    if (isRunning) return;
    isRunning = true;
    try {
      while (runAgain) {
        runAgain = false;
        await work();
      }
    } finally {
      isRunning = false;
    }
  };
}

/**
 * Where the focus is, or will be once the page has it. Fields always keep the focus; a grid passes it from row to
 * row. `page`: nothing in the page has been focused yet.
 */
export type FocusPlace = 'grid' | 'field' | 'page' | 'elsewhere';

export function getFocusPlace(): FocusPlace {
  const { activeElement, body } = document;
  if (activeElement?.closest('[role="grid"]')) return 'grid';
  const isField = activeElement instanceof HTMLTextAreaElement || activeElement instanceof HTMLInputElement;
  if (isField) return 'field';
  return activeElement === body ? 'page' : 'elsewhere';
}

/** The width of the view in pixels, as it is resized. */
export function trackViewWidth(): ReadonlySignal<number> {
  const width = signal(document.documentElement.clientWidth);
  addEventListener('resize', () => {
    width.value = document.documentElement.clientWidth;
  });
  return width;
}
