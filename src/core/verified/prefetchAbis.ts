import type { AbiLookup, Trust } from '../abi/candidates.ts';
import { createLogDecoder, type DecodedLog } from '../abi/logDecoder.ts';
import type { Abortable } from '../base/concurrency.ts';
import type { AppError } from '../base/errors.ts';
import type { Address, Hex } from '../eth/hex.ts';
import type { Log } from '../logs/log.ts';
import type { AbiProvider } from './fetchVerified.ts';
import type { SignatureCache, SignatureProvider } from './signatureCache.ts';
import type { AbiPrefetch, VerifiedCache } from './verifiedCache.ts';

/**
 * Fetches ABIs that decode logs: verified contracts at their addresses, those of undecoded logs first and
 * those of known deployments never; then signatures of the events that remain unknown. At most 50 contracts
 * and 50 events. Reports progress through `onFound`. Resolves when every request has ended; never rejects.
 *
 * @example
 * await prefetchAbis(page.logs, { chainId: 1, endpoint: rpcUrl, lookup, contracts: { store, source }, signatures: undefined });
 */
export async function prefetchAbis(logs: readonly PrefetchLog[], context: PrefetchContext): Promise<void> {
  const { chainId, endpoint, contracts, signatures } = context;
  if (contracts) {
    const { store, source } = contracts;
    const addresses = listContractsToFetch(logs, context);
    const unfetched = addresses.filter((address) => !store.isFetched({ address, chainId, endpoint }));
    for (let from = 0; from < unfetched.length && !context.signal?.aborted; from += CONTRACTS_PER_UPDATE) {
      let isFound = false;
      const onFound = () => {
        isFound = true;
      };
      await store.prefetch(unfetched.slice(from, from + CONTRACTS_PER_UPDATE), {
        ...context,
        provider: source,
        onFound,
      });
      if (isFound) context.onFound?.();
    }
    // Other callers may still be waiting for some of these.
    if (!context.signal?.aborted) await store.prefetch(addresses, { ...context, provider: source });
  }
  if (signatures && !context.signal?.aborted) {
    const decoder = createLogDecoder({ lookup: context.lookup, chainId });
    const events = listEventsToFetch(logs, (log) => decoder.decode(log));
    await signatures.store.prefetch({ events, selectors: [] }, { ...context, source: signatures.source });
  }
}

interface PrefetchContext extends Abortable, Pick<AbiPrefetch, 'chainId' | 'endpoint'> {
  /** Everything that decodes, including the caches. */
  readonly lookup: AbiLookup;
  readonly contracts: { readonly store: VerifiedCache; readonly source: AbiProvider } | undefined;
  readonly signatures: { readonly store: SignatureCache; readonly source: SignatureProvider } | undefined;
  readonly onFound?: () => void;
  readonly onFailure?: (error: AppError) => void;
}

type PrefetchLog = Pick<Log, 'address' | 'topics' | 'data'>;

/** Per call: contracts, and events (topic0). */
const MAX_PREFETCHED = 50;
/** `onFound` is called once per this many contracts, because its callers redo expensive work. */
const CONTRACTS_PER_UPDATE = 8;

/** A log with this trust is already decoded by its own contract: the verified ABI would not be trusted more. */
const trustedOrigins: ReadonlySet<Trust> = new Set<Trust>([
  'deployment',
  'verified',
  'partlyVerified',
  'twin',
]);

function listContractsToFetch(
  logs: readonly PrefetchLog[],
  { chainId, lookup }: Pick<PrefetchContext, 'chainId' | 'lookup'>,
): readonly Address[] {
  const decoder = createLogDecoder({ lookup, chainId });
  const raw = new Set<Address>();
  const others = new Set<Address>();
  for (const log of logs) {
    const decoded = decoder.decode(log);
    if ('reason' in decoded) raw.add(log.address);
    else if (!trustedOrigins.has(decoded.origin.trust)) others.add(log.address);
  }
  return [...new Set([...raw, ...others])].slice(0, MAX_PREFETCHED);
}

function listEventsToFetch(
  logs: readonly PrefetchLog[],
  decode: (log: PrefetchLog) => DecodedLog,
): ReadonlyMap<Hex, ReadonlySet<number>> {
  const events = new Map<Hex, Set<number>>();
  for (const log of logs) {
    const [topic0] = log.topics;
    if (topic0 === undefined || 'event' in decode(log)) continue;
    const counts = events.get(topic0) ?? new Set();
    if (events.size < MAX_PREFETCHED || events.has(topic0)) events.set(topic0, counts.add(log.topics.length));
  }
  return events;
}
