interface Latest {
  /** The answer; undefined where another question was asked meanwhile, none is wanted any more, or it failed. */
  ask<T>(question: (options: { readonly signal: AbortSignal }) => Promise<T>): Promise<T | undefined>;
  /** Wants no answer any more. */
  drop(): void;
}

/** Questions of which only the last one counts: those before are aborted, and what they answer all the same is dropped. */
export function createLatest(): Latest {
  let asking: AbortController | undefined;
  return {
    async ask(question) {
      asking?.abort();
      const turn = new AbortController();
      asking = turn;
      const answer = await question(turn).catch(() => undefined);
      return turn.signal.aborted ? undefined : answer;
    },
    drop: () => asking?.abort(),
  };
}

/** Does one and the same work once at a time: called meanwhile, it is done once more after that. */
export function oneAtATime(work: () => Promise<unknown>): () => Promise<void> {
  let working = false;
  let again = false;
  return async () => {
    again = true;
    if (working) return;
    working = true;
    try {
      while (again) {
        again = false;
        await work();
      }
    } finally {
      working = false;
    }
  };
}
