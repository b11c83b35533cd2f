import { type Channel, type Contract, openChannel, type ServedMethods } from '../../messaging/channel.ts';

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

/** Keeps `state`, plain data, until the editor tab is closed. */
export function keepState(state: unknown): void {
  api.setState(state);
}
