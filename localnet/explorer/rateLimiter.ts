export type RateLimit = { readonly requests: number; readonly perMilliseconds: number };

export type RateState = {
  readonly allowed: boolean;
  /** All -1 where there is no limit. `resetMs` is the time left in the window, not a moment. */
  readonly limit: number;
  readonly remaining: number;
  readonly resetMs: number;
};

/** Counts requests in fixed windows, one bucket for all callers. */
export class RateLimiter {
  readonly #limit: RateLimit | undefined;
  #windowEnd = 0;
  #used = 0;

  constructor(limit: RateLimit | undefined) {
    this.#limit = limit;
  }

  take(): RateState {
    if (!this.#limit) return { allowed: true, limit: -1, remaining: -1, resetMs: -1 };
    const now = performance.now();
    if (now >= this.#windowEnd) {
      this.#windowEnd = now + this.#limit.perMilliseconds;
      this.#used = 0;
    }
    this.#used += 1;
    return {
      allowed: this.#used <= this.#limit.requests,
      limit: this.#limit.requests,
      remaining: Math.max(0, this.#limit.requests - this.#used),
      resetMs: Math.max(1, Math.ceil(this.#windowEnd - now)),
    };
  }
}
