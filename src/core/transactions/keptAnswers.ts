import { asAppError, withSource } from '../base/errors.ts';
import { createExpiringCache } from '../base/expiringCache.ts';
import type { SourceLabel } from '../base/source.ts';
import type { HttpDeps } from '../http/http.ts';
import type { Hex } from '../values/hex.ts';
import type { FoundByHash, HashAnswer } from './transaction.ts';
import type { TransactionSource } from './transactionSource.ts';

/** About a block of most chains: a pending transaction is soon mined, and a new block may go away again. */
const KEPT_FOR_MS = 15_000;
const KEPT_AT_MOST = 50;

/**
 * A source that keeps what it was told for a moment, and says whose it is and of when.
 *
 * @param find asks the server; `signal` also aborts when the source is dropped.
 * @example keepingAnswers({ label, clock, revoked }, (hash, { signal }) => ask(hash, signal))
 */
export function keepingAnswers(
  {
    label,
    clock,
    revoked,
  }: Pick<HttpDeps, 'clock'> & { readonly label: SourceLabel; readonly revoked: AbortSignal },
  find: (hash: Hex, options: { readonly signal: AbortSignal }) => Promise<FoundByHash>,
): TransactionSource {
  const cache = createExpiringCache<HashAnswer>({ clock, ttlMs: KEPT_FOR_MS, maxEntries: KEPT_AT_MOST });
  return {
    label,
    offers: { lookUpHash: 'free' },
    lookUpHash: (hash, asked) =>
      cache.get(
        hash,
        async (signal) => {
          try {
            const found = await find(hash, { signal: AbortSignal.any([signal, revoked]) });
            return { ...found, source: label, readAt: clock.now() };
          } catch (error) {
            throw withSource(asAppError(error), label);
          }
        },
        asked,
      ),
  };
}
