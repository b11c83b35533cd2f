import type { IncomingHttpHeaders } from 'node:http';

/** A request as the server got it. Numbered from 1 in the order of arrival. */
export type RecordedRequest = {
  readonly number: number;
  readonly method: string;
  /** Path with its query. */
  readonly url: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
};

/** What a test makes the server do in place of a plain answer. */
export type Fault =
  | {
      readonly kind: 'respond';
      readonly status: number;
      readonly headers?: Readonly<Record<string, string>>;
      readonly body?: string;
    }
  /** The true answer, changed on its way out. */
  | { readonly kind: 'edit'; readonly change: (body: string) => string }
  | { readonly kind: 'delay'; readonly milliseconds: number }
  /** The true answer, cut off in the middle while its length promises more. */
  | { readonly kind: 'truncate' }
  /** Nothing, until the caller gives up or the server stops. */
  | { readonly kind: 'hang' }
  /** The connection is cut without a word. */
  | { readonly kind: 'reset' };

/** Looks at every request first; undefined lets it pass. */
export type Intercept = (request: RecordedRequest) => Fault | undefined;

/** One fault a request, in order, then none. */
export function inSequence(faults: readonly (Fault | undefined)[]): Intercept {
  let next = 0;
  return () => {
    const fault = faults[next];
    next += 1;
    return fault;
  };
}

/** The fault on every nth request, counted from when this was made. */
export function everyNth(n: number, fault: Fault): Intercept {
  let count = 0;
  return () => {
    count += 1;
    return count % n === 0 ? fault : undefined;
  };
}
