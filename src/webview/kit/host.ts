import { effect } from '@preact/signals';
import { type Channel, openChannel } from '../../messaging/channel.ts';
import type { Contract, ServedMethods } from '../../messaging/contract.ts';

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
