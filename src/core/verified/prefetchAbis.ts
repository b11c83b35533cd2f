import type { AbiLookup, Trust } from '../abi/candidates.ts';
import { createLogDecoder, type DecodedLog } from '../abi/logDecoder.ts';
import type { Abortable } from '../base/concurrency.ts';
import type { AppError } from '../base/errors.ts';
import type { Address, Hex } from '../eth/hex.ts';
import type { Log } from '../logs/log.ts';
import type { AbiProvider } from './fetchVerified.ts';
import type { SignatureCache, SignatureProvider } from './signatureCache.ts';
import type { AbiPrefetch, VerifiedCache } from './verifiedCache.ts';

/** Contracts of one sight that are asked of, and topic0s. */
const MAX_PREFETCHED = 50;
/** Contracts after which it is told what was found, since what follows from it is slow to make anew. */
const CONTRACTS_PER_UPDATE = 8;

/** By these the contract itself is known: what is verified at its address would not be trusted more. */
const known: ReadonlySet<Trust> = new Set<Trust>(['deployment', 'verified', 'partlyVerified', 'twin']);

type WantedLog = Pick<Log, 'address' | 'topics' | 'data'>;

/** Who may be asked what logs mean, and what is known without them. */
export interface PrefetchContext extends Abortable, Pick<AbiPrefetch, 'chainId' | 'endpoint'> {
  /** All that decodes, what is found in the stores among it. */
  readonly lookup: AbiLookup;
  readonly contracts: { readonly store: VerifiedCache; readonly source: AbiProvider } | undefined;
  readonly signatures: { readonly store: SignatureCache; readonly source: SignatureProvider } | undefined;
  readonly onFound?: () => void;
  readonly onFailure?: (error: AppError) => void;
}

/**
 * Asks for what gives logs a meaning: verified contracts at their addresses, those of undecoded logs first, but for
 * what is known to be deployed there; then names of the events that stay unknown. Of 50 contracts and events each, at
 * most. What is found is told now and then. Resolves when all is answered; never rejects.
 *
 * @example
 * await prefetchAbis(page.logs, { chainId: 1, endpoint: rpcUrl, lookup, contracts: { store, source }, signatures: undefined });
 */
export async function prefetchAbis(logs: readonly WantedLog[], asked: PrefetchContext): Promise<void> {
  const { chainId, endpoint, contracts, signatures } = asked;
  if (contracts) {
    const { store, source } = contracts;
    const addresses = contractsToAsk(logs, asked);
    const unasked = addresses.filter((address) => !store.isFetched({ address, chainId, endpoint }));
    for (let from = 0; from < unasked.length && !asked.signal?.aborted; from += CONTRACTS_PER_UPDATE) {
      let isFound = false;
      const onFound = () => {
        isFound = true;
      };
      await store.prefetch(unasked.slice(from, from + CONTRACTS_PER_UPDATE), {
        ...asked,
        provider: source,
        onFound,
      });
      if (isFound) asked.onFound?.();
    }
    // Others may have asked of some and wait for the answer.
    if (!asked.signal?.aborted) await store.prefetch(addresses, { ...asked, provider: source });
  }
  if (signatures && !asked.signal?.aborted) {
    const decoder = createLogDecoder({ lookup: asked.lookup, chainId });
    const events = eventsToAsk(logs, (log) => decoder.decode(log));
    await signatures.store.prefetch({ events, selectors: [] }, { ...asked, source: signatures.source });
  }
}

/** The contracts whose verified source would tell more of logs than is known. */
function contractsToAsk(
  logs: readonly WantedLog[],
  { chainId, lookup }: Pick<PrefetchContext, 'chainId' | 'lookup'>,
): readonly Address[] {
  const decoder = createLogDecoder({ lookup, chainId });
  const raw = new Set<Address>();
  const others = new Set<Address>();
  for (const log of logs) {
    const decoded = decoder.decode(log);
    if ('reason' in decoded) raw.add(log.address);
    else if (!known.has(decoded.origin.trust)) others.add(log.address);
  }
  return [...new Set([...raw, ...others])].slice(0, MAX_PREFETCHED);
}

/** The events of logs that are not decoded, with the numbers of topics that they were seen with. */
function eventsToAsk(
  logs: readonly WantedLog[],
  decode: (log: WantedLog) => DecodedLog,
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
