import * as z from 'zod/mini';

/** One end of a message channel. Every request settles: by reply, failure, abort or {@link Channel.dispose}. */
export interface Channel<Remote> {
  /** Handles any incoming message. Ignores those of other protocols. */
  receive(data: unknown): void;
  request<M extends keyof Remote & string>(
    method: M,
    params: Params<Remote[M]>,
    options?: RequestOptions,
  ): Promise<Result<Remote[M]>>;
  /** A request without a reply. */
  notify<M extends keyof Remote & string>(method: M, params: Params<Remote[M]>): void;
  /** Rejects pending requests and aborts running handlers. */
  dispose(): void;
}

interface ChannelOptions<Local> {
  /** Sends a message to the other side. Its return value is ignored. */
  readonly post: (message: WireMessage) => unknown;
  readonly methods: ServedMethods<Local>;
  /** Turns an error of a method into plain data. */
  readonly toWireError: (error: unknown) => WireError;
  /** Called for every request or notice that is rejected before it reaches its handler. */
  readonly onRefused?: (error: WireError) => void;
}

interface RequestOptions {
  readonly signal?: AbortSignal;
}

/** Opens one end: serves the methods of `Local` and calls those of `Remote`. */
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
    if (!parsed.success) throw refuse('badMessage', `The parameter of ${method} is invalid.`);
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

interface Pending {
  readonly resolve: (result: unknown) => void;
  readonly reject: (error: RemoteError) => void;
}

/** The methods that one side serves: an interface of functions with at most one parameter, which is plain data. */
// biome-ignore lint/suspicious/noExplicitAny: a contract may have any function
export type Contract<T> = { readonly [M in keyof T]: (params: any) => unknown };

export type Params<F> = F extends () => unknown
  ? undefined
  : F extends (params: infer P) => unknown
    ? P
    : never;
export type Result<F> = F extends (...args: never[]) => infer R ? Awaited<R> : never;

/** How one method is served: the schema of its parameter, and its handler. */
interface Served<P, R> {
  readonly params: z.ZodMiniType<P>;
  readonly handle: (params: P, options: { readonly signal: AbortSignal }) => R | PromiseLike<R>;
}

export type ServedMethods<T> = { readonly [M in keyof T]: Served<Params<T[M]>, Result<T[M]>> };

/**
 * A request that one side serves: the schema of its parameter. The type of its result is not checked at run time.
 */
interface Request<P, R> {
  readonly params: z.ZodMiniType<P>;
  readonly result?: R;
}

/**
 * A request without a parameter; `with` adds one.
 *
 * @example const requests = { refresh: request(), rename: request<boolean>().with(z.string()) };
 */
export function request<R = void>(): Request<undefined, R> & {
  with<P>(params: z.ZodMiniType<P>): Request<P, R>;
} {
  return { params: z.undefined(), with: (params) => ({ params }) };
}

type ParamsOf<T> = T extends { readonly params: z.ZodMiniType<infer P> } ? P : never;
type ResultOf<T> = T extends { readonly result?: infer R } ? R : never;

/** The methods of a table of requests. */
export type MethodsOf<T> = {
  readonly [M in keyof T]: [ParamsOf<T[M]>] extends [undefined]
    ? () => ResultOf<T[M]>
    : (params: ParamsOf<T[M]>) => ResultOf<T[M]>;
};

/** A handler for each request of a table. */
export type RequestHandlers<T> = {
  readonly [M in keyof T]: Served<ParamsOf<T[M]>, ResultOf<T[M]>>['handle'];
};

/** Joins each request of a table with the handler of the same name. */
export function serveRequests<T extends object>(
  requests: T,
  handlers: RequestHandlers<T>,
): ServedMethods<MethodsOf<T>> {
  const served = Object.entries(requests).map(([name, { params }]) => [
    name,
    { params, handle: handlers[name as keyof T] },
  ]);
  return Object.fromEntries(served);
}

/** A request that failed on the other side, or did not reach it. */
export class RemoteError extends Error {
  /** Code of the other side, or `aborted`, `closed`, `unknownMethod`, `badMessage`. */
  readonly code: string;
  readonly field: string | undefined;

  constructor({ code, message, field }: WireError) {
    super(message);
    this.name = 'RemoteError';
    this.code = code;
    this.field = field;
  }
}

/** Rejects an aborted request; also the abort reason of its handler's signal. */
function abortedError(): RemoteError {
  return new RemoteError({ code: 'aborted', message: 'Cancelled.' });
}

/** Rejects requests at a closed end. */
function closedError(): RemoteError {
  return new RemoteError({ code: 'closed', message: 'The other side is closed.' });
}

/** An error as plain data: a stable code, a message to show, and the invalid field, if any. */
export interface WireError {
  readonly code: string;
  readonly message: string;
  readonly field?: string | undefined;
}

/** What the two ends exchange. The requesting side chooses the IDs; they are unique across its restarts. */
export type WireMessage =
  | { readonly kind: 'request'; readonly id: string; readonly method: string; readonly params?: unknown }
  | { readonly kind: 'notice'; readonly method: string; readonly params?: unknown }
  | { readonly kind: 'abort'; readonly id: string }
  | { readonly kind: 'reply'; readonly id: string; readonly result?: unknown }
  | { readonly kind: 'failure'; readonly id: string; readonly error: WireError };

/** Undefined if `data` is not a message: other scripts may post to the same window. */
function parseWireMessage(data: unknown): WireMessage | undefined {
  const parsed = wireMessage.safeParse(data);
  return parsed.success ? parsed.data : undefined;
}

const id = z.string().check(z.minLength(1), z.maxLength(100));
const name = z.string().check(z.maxLength(100));

const wireMessage = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('request'), id, method: name, params: z.optional(z.unknown()) }),
  z.object({ kind: z.literal('notice'), method: name, params: z.optional(z.unknown()) }),
  z.object({ kind: z.literal('abort'), id }),
  z.object({ kind: z.literal('reply'), id, result: z.optional(z.unknown()) }),
  z.object({
    kind: z.literal('failure'),
    id,
    error: z.object({ code: z.string(), message: z.string(), field: z.optional(z.string()) }),
  }),
]);
