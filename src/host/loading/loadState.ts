/**
 * Something that is asked for, as far as it has come. What was there before, or has come so far, stays at hand until
 * something newer is whole.
 */
export type LoadState<T> =
  | { readonly state: 'idle'; readonly before?: T | undefined }
  | { readonly state: 'loading'; readonly before: T | undefined }
  | { readonly state: 'loaded'; readonly value: T }
  | { readonly state: 'failed'; readonly error: unknown; readonly before: T | undefined }
  | { readonly state: 'cancelled'; readonly before: T | undefined };

/** Never asked for. */
export const idle = { state: 'idle' } as const;

/** What there is to show, in whichever state. */
export function valueAtHand<T>(load: LoadState<T>): T | undefined {
  return load.state === 'loaded' ? load.value : load.before;
}

/** What the last request failed with; undefined when it did not fail. */
export function errorOf(load: LoadState<unknown>): unknown {
  return load.state === 'failed' ? load.error : undefined;
}

/** To be asked for again, as soon as somebody wants it. */
export function toIdle<T>(load: LoadState<T>): LoadState<T> {
  return { state: 'idle', before: valueAtHand(load) };
}

/** The same state with more at hand: a part of an answer has come. */
export function withValue<T>(load: LoadState<T>, value: T): LoadState<T> {
  return load.state === 'loaded' ? { state: 'loaded', value } : { ...load, before: value };
}

export function toLoading<T>(load: LoadState<T>): LoadState<T> {
  return { state: 'loading', before: valueAtHand(load) };
}

/** Over: all of it has come. A request that brought nothing leaves what there was. */
export function toLoaded<T>(load: LoadState<T>): LoadState<T> {
  const value = valueAtHand(load);
  return value === undefined ? idle : { state: 'loaded', value };
}

export function toFailed<T>(load: LoadState<T>, error: unknown): LoadState<T> {
  return { state: 'failed', error, before: valueAtHand(load) };
}

export function toCancelled<T>(load: LoadState<T>): LoadState<T> {
  return { state: 'cancelled', before: valueAtHand(load) };
}
