import * as z from 'zod/mini';

/** An error as plain data: a stable code to act on, words to show, and the input at fault if it is one. */
export interface WireError {
  readonly code: string;
  readonly message: string;
  readonly field?: string | undefined;
}

/** What travels between two peers. Ids are chosen by the asking side and unique across its restarts. */
export type WireMessage =
  | { readonly kind: 'request'; readonly id: string; readonly method: string; readonly params?: unknown }
  | { readonly kind: 'notice'; readonly method: string; readonly params?: unknown }
  | { readonly kind: 'abort'; readonly id: string }
  | { readonly kind: 'reply'; readonly id: string; readonly result?: unknown }
  | { readonly kind: 'failure'; readonly id: string; readonly error: WireError };

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

/** The message, or undefined when `data` is none: other scripts may post to the same window. */
export function parseWireMessage(data: unknown): WireMessage | undefined {
  const parsed = wireMessage.safeParse(data);
  return parsed.success ? parsed.data : undefined;
}
