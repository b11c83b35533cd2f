import * as z from 'zod/mini';
import type { Abortable } from '../../base/abortable.ts';
import { type AppError, isAppError } from '../../base/errors.ts';
import { type ExplorerDeps, getFromExplorer } from '../../explorer/explorerRoutes.ts';
import { explorerApi } from '../../explorer/explorerUrls.ts';
import { isThingMissing } from '../../explorer/refusalWords.ts';
import type { IdentityFacts, IdentityGap } from '../../identity/identity.ts';
import { noFacts } from '../../identity/identityReader.ts';
import type { Address } from '../../values/address.ts';
import { heightField } from '../../values/chainFields.ts';
import type { Hex } from '../../values/hex.ts';
import { optionalField } from '../../values/outsideFields.ts';
import { readAddressBody } from './addressBody.ts';

/** An answer for a diamond of a hundred facets, its metadata and tags are some tens of thousands. */
const LIMITS = { maxBytes: 2 * 1024 * 1024, timeoutMs: 10_000 } as const;

/** What is no gap, and goes to who asks. */
const passing = ['aborted', 'rateLimited', 'unavailable'] as const;

// `block` before release 8.
const Mined = z.object({ block_number: optionalField(heightField), block: optionalField(heightField) });

/** What the explorer has on record, or why it tells nothing. */
export interface Recorded {
  readonly facts: IdentityFacts;
  readonly gap?: IdentityGap | undefined;
  /** Why nothing came, where trying again may help. */
  readonly failure?: AppError | undefined;
}

/**
 * Asks the REST interface about addresses. A release that has none is asked no second time.
 *
 * @throws AppError `aborted`, `rateLimited` or `unavailable`, each question; all else is a gap.
 */
export function createAddressRequests(http: ExplorerDeps, rpcUrl: string) {
  let isMissing = false;
  return {
    async address(address: Address, { signal }: Abortable): Promise<Recorded> {
      const url = explorerApi(rpcUrl, `/api/v2/addresses/${address}`);
      if (!url || isMissing) return { facts: noFacts, gap: 'notOffered' };
      try {
        return { facts: readAddressBody(await getFromExplorer(http, url, { signal, ...LIMITS }), address) };
      } catch (error) {
        if (!isAppError(error) || isAppError(error, ...passing)) throw error;
        const gap = gapOf(error);
        isMissing = gap === 'notOffered';
        return { facts: noFacts, gap, failure: gap === 'failed' ? error : undefined };
      }
    },

    /** The block of a transaction; undefined where the explorer does not tell. */
    async block(transaction: Hex, { signal }: Abortable): Promise<bigint | undefined> {
      const url = explorerApi(rpcUrl, `/api/v2/transactions/${transaction}`);
      if (!url || isMissing) return undefined;
      try {
        const { data } = Mined.safeParse(await getFromExplorer(http, url, { signal, ...LIMITS }));
        return data?.block_number ?? data?.block;
      } catch (error) {
        if (!isAppError(error) || isAppError(error, ...passing)) throw error;
        return undefined;
      }
    },
  };
}

/** Of 2023 an address without a record is not found; an unknown route says so in other words, or in 400. */
function gapOf(error: AppError): IdentityGap {
  const { kind, details } = error;
  if (kind === 'notFound') return isThingMissing(error) ? 'notIndexed' : 'notOffered';
  if (kind === 'unauthorized' || kind === 'forbidden' || kind === 'creditsUsedUp') return 'refused';
  return details.status === 400 ? 'notOffered' : 'failed';
}
