import {
  type AbiLookup,
  type Address,
  type ChainClient,
  type ContractIndex,
  createHistoryCache,
  createLogDecoder,
  createVersionLookup,
  type LogDecoder,
  loadStandardLookup,
  mergeAbiResolvers,
  type PositionedLog,
  systemClock,
} from '../../core/index.ts';
import type { AskedSources } from './sources.ts';

/** Decodes logs once what that needs is known of them. */
export interface LogDecoding extends LogDecoder {
  readonly lookup: AbiLookup;
  /** Asks for what these logs may mean, and reads the upgrades of contracts that may have several versions. */
  prepare(logs: readonly PositionedLog[]): Promise<void>;
}

/**
 * Decodes logs by what the projects below a folder know, by what sources tell, and by bundled lists; those of upgraded
 * contracts by the code in force at each.
 */
export async function openLogDecoding(
  client: ChainClient,
  known: {
    /** What the projects of a folder know. */
    readonly index: ContractIndex | undefined;
    readonly sources: AskedSources | undefined;
    readonly chainId: number;
  },
  options: { readonly signal: AbortSignal },
): Promise<LogDecoding> {
  const { index, sources, chainId } = known;
  const createdAt = (address: Address) => index?.deploymentsAt(address, chainId)[0]?.block;
  const asked = { chainId, source: client, createdAt };
  const histories = createHistoryCache(systemClock);
  const lookups: readonly (AbiLookup | undefined)[] = [index?.lookup, sources?.lookup];
  const lookup = createVersionLookup({
    lookups: [...lookups.filter((one) => one !== undefined), await loadStandardLookup()],
    known: mergeAbiResolvers(...[index, sources?.known].filter((one) => one !== undefined)),
    histories,
  });
  let decoder = createLogDecoder({ lookup, chainId });
  const decodeAnew = () => {
    lookup.renew();
    decoder = createLogDecoder({ lookup, chainId });
  };
  return {
    lookup,
    decode: (log) => decoder.decode(log),
    async prepare(logs) {
      await sources?.want(logs, lookup);
      const wanted = lookup.lacking(logs, chainId);
      const isMore =
        wanted.size > 0 && (await histories.read(wanted, asked, { ...options, most: wanted.size }));
      await sources?.wantCode(lookup.codeLacking(logs, chainId));
      if (isMore || sources) decodeAnew();
    },
  };
}
