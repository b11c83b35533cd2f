import { effect } from '@preact/signals';
import {
  type Channel,
  type Contract,
  openChannel,
  RemoteError,
  type ServedMethods,
} from '../../messaging/channel.ts';
import { fill } from './text.ts';

const api = acquireVsCodeApi<unknown>();

/** The one conversation of this page with the extension. `methods` is what the extension may call here. */
export function connectHost<View extends Contract<View>, Host extends Contract<Host>>(
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

/**
 * The answer of a request; undefined if it was aborted or failed, which `onFailure` is told by `sentence`, with why
 * for its `{0}`.
 */
export async function hostAnswer<T>(
  answer: Promise<T>,
  sentence: string,
  onFailure: (words: string) => void,
): Promise<T | undefined> {
  try {
    return await answer;
  } catch (error) {
    if (error instanceof RemoteError && error.code === 'aborted') return undefined;
    onFailure(fill(sentence, error instanceof Error ? error.message : String(error)));
    return undefined;
  }
}

/** What this page kept for the time when it was hidden: of any shape, since an older version may have kept it. */
export function keptState(): unknown {
  return api.getState();
}

/** Keeps what `state` gives, plain data, until the editor tab is closed, a moment after a signal in it has changed. */
export function keepAsItChanges(state: () => unknown): void {
  let waiting: ReturnType<typeof setTimeout> | undefined;
  effect(() => {
    const kept = state();
    clearTimeout(waiting);
    waiting = setTimeout(() => api.setState(kept), 100);
  });
}
