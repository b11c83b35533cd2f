import type * as z from 'zod/mini';

/** The methods that one side serves, as an interface of functions of at most one plain parameter. */
// biome-ignore lint/suspicious/noExplicitAny: any function shape may stand in a contract
export type Contract<T> = { readonly [M in keyof T]: (params: any) => unknown };

/** The parameter of a method. */
export type Params<F> = F extends (params: infer P) => unknown ? P : undefined;
/** What a method answers. */
export type Result<F> = F extends (...args: never[]) => infer R ? Awaited<R> : never;

/** How one method is served: what its parameter must look like, and what answers. */
interface Served<P, R> {
  readonly params: z.ZodMiniType<P>;
  readonly handle: (params: P, options: { readonly signal: AbortSignal }) => R | PromiseLike<R>;
}

export type ServedMethods<T> = { readonly [M in keyof T]: Served<Params<T[M]>, Result<T[M]>> };
