/** What became of an answer within a time. */
export type Outcome<T> =
  | { readonly state: 'come'; readonly value: T }
  | { readonly state: 'failed'; readonly error: unknown }
  | { readonly state: 'late' };

/** Waits for `answer`, but no longer than `ms` milliseconds. Never rejects; a late answer goes its way unheard. */
export function readWithin<T>(ms: number, answer: Promise<T>): Promise<Outcome<T>> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => resolve({ state: 'late' }), ms);
    const settle = (outcome: Outcome<T>) => {
      clearTimeout(timer);
      resolve(outcome);
    };
    answer.then(
      (value) => settle({ state: 'come', value }),
      (error: unknown) => settle({ state: 'failed', error }),
    );
  });
}
