import type { Contract, Params, Result, ServedMethods } from './contract.ts';
import { abortedError, closedError, RemoteError } from './remoteError.ts';
import { parseWireMessage, type WireError, type WireMessage } from './wire.ts';

interface ChannelOptions<Local> {
  /** Sends one message to the other side. What it returns is ignored. */
  readonly post: (message: WireMessage) => unknown;
  readonly methods: ServedMethods<Local>;
  /** Turns what a method threw into plain data. */
  readonly toWireError: (error: unknown) => WireError;
  /** Told of every incoming message that is refused. */
  readonly onRefused?: (error: WireError) => void;
}

interface RequestOptions {
  readonly signal?: AbortSignal;
}

/** One end of a conversation. Every request settles: by reply, failure, abort or {@link Channel.dispose}. */
export interface Channel<Remote> {
  /** Takes one message as it came in, whatever it is. */
  receive(data: unknown): void;
  request<M extends keyof Remote & string>(
    method: M,
    params: Params<Remote[M]>,
    options?: RequestOptions,
  ): Promise<Result<Remote[M]>>;
  /** A request that wants no answer. */
  notify<M extends keyof Remote & string>(method: M, params: Params<Remote[M]>): void;
  /** Rejects what is pending and aborts what is being served. */
  dispose(): void;
}

interface Pending {
  readonly resolve: (result: unknown) => void;
  readonly reject: (error: RemoteError) => void;
}

/** Opens one end: serves the methods of `Local`, calls those of `Remote`. */
export function openChannel<Local extends Contract<Local>, Remote extends Contract<Remote>>(
  options: ChannelOptions<Local>,
): Channel<Remote> {
  const { post, toWireError } = options;
  const pending = new Map<string, Pending>();
  const serving = new Map<string, AbortController>();
  const prefix = crypto.randomUUID();
  let count = 0;
  let closed = false;

  function request(method: string, params: unknown, { signal }: RequestOptions = {}): Promise<unknown> {
    if (closed) return Promise.reject(closedError());
    if (signal?.aborted) return Promise.reject(abortedError());
    const id = `${prefix}:${++count}`;
    return new Promise((resolve, reject) => {
      const onAbort = () => {
        post({ kind: 'abort', id });
        settle(id)?.reject(abortedError());
      };
      const done = () => signal?.removeEventListener('abort', onAbort);
      pending.set(id, {
        resolve: (result) => {
          done();
          resolve(result);
        },
        reject: (error) => {
          done();
          reject(error);
        },
      });
      signal?.addEventListener('abort', onAbort, { once: true });
      post({ kind: 'request', id, method, params });
    });
  }

  function settle(id: string): Pending | undefined {
    const entry = pending.get(id);
    pending.delete(id);
    return entry;
  }

  async function serve(id: string, method: string, params: unknown): Promise<void> {
    const controller = new AbortController();
    serving.set(id, controller);
    let outcome: WireMessage;
    try {
      const result = await call(method, params, controller);
      outcome = { kind: 'reply', id, result };
    } catch (error) {
      outcome = { kind: 'failure', id, error: describe(error) };
    }
    serving.delete(id);
    if (!closed) post(outcome);
  }

  async function call(
    method: string,
    params: unknown,
    { signal }: { readonly signal: AbortSignal },
  ): Promise<unknown> {
    const served = Object.hasOwn(options.methods, method)
      ? options.methods[method as keyof Local]
      : undefined;
    if (!served) throw refuse('unknownMethod', `There is no method ${method}.`);
    const parsed = served.params.safeParse(params);
    if (!parsed.success) throw refuse('badMessage', `The parameter of ${method} is not of its form.`);
    return served.handle(parsed.data as Params<Local[keyof Local]>, { signal });
  }

  function refuse(code: string, message: string): RemoteError {
    const error = new RemoteError({ code, message });
    options.onRefused?.({ code, message });
    return error;
  }

  function describe(error: unknown): WireError {
    if (error instanceof RemoteError) return { code: error.code, message: error.message, field: error.field };
    return toWireError(error);
  }

  return {
    receive(data) {
      const message = closed ? undefined : parseWireMessage(data);
      switch (message?.kind) {
        case 'request':
          void serve(message.id, message.method, message.params);
          break;
        case 'notice':
          call(message.method, message.params, new AbortController()).catch(() => undefined);
          break;
        case 'abort':
          serving.get(message.id)?.abort(abortedError());
          break;
        case 'reply':
          settle(message.id)?.resolve(message.result);
          break;
        case 'failure':
          settle(message.id)?.reject(new RemoteError(message.error));
          break;
      }
    },
    request: (method, params, options) => request(method, params, options) as Promise<never>,
    notify: (method, params) => {
      if (!closed) post({ kind: 'notice', method, params });
    },
    dispose() {
      if (closed) return;
      closed = true;
      for (const controller of serving.values()) controller.abort(closedError());
      for (const id of [...pending.keys()]) settle(id)?.reject(closedError());
    },
  };
}
