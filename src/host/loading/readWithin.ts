/** What there is of an answer after some time. */
export type Outcome<T> =
  | { readonly state: 'ready'; readonly value: T }
  | { readonly state: 'failed'; readonly error: unknown }
  | { readonly state: 'pending' };

/** Waits for `answer`, but no longer than `ms` milliseconds. Never rejects; an answer after that is ignored. */
export function readWithin<T>(ms: number, answer: Promise<T>): Promise<Outcome<T>> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => resolve({ state: 'pending' }), ms);
    const settle = (outcome: Outcome<T>) => {
      clearTimeout(timer);
      resolve(outcome);
    };
    answer.then(
      (value) => settle({ state: 'ready', value }),
      (error: unknown) => settle({ state: 'failed', error }),
    );
  });
}
