import {
  type AbiLookup,
  type AbiResolver,
  type Address,
  type AppError,
  createLogDecoder,
  createSignatureCache,
  createVerifiedCache,
  fetchVerifiedChains,
  mergeLookups,
  type Network,
  type PositionedLog,
  prefetchAbis,
  toChecksumAddress,
  type VerifiedContract,
} from '../../core/index.ts';
import type { ThirdPartyConsent } from './consent.ts';
import type { VerifiedSources } from './verifiedSources.ts';

interface VerifiedEventsDeps {
  readonly sources: VerifiedSources;
  readonly consent: ThirdPartyConsent;
  /** What decodes without anybody being asked. */
  readonly beside: AbiLookup;
  readonly kept: { save(): Promise<void> };
  readonly log: { debug(words: string): void };
  /** More is known than before, or less. */
  readonly onDidChange: () => void;
}

/** What others tell of events: verified contracts, and names by their hashes. Read once each, when logs are in sight. */
export interface VerifiedEvents extends AbiResolver {
  /** Never waits. */
  readonly lookup: AbiLookup;
  /** Resolves when all has answered and the user has said who else may be asked. */
  want(logs: readonly PositionedLog[], network: Network): Promise<void>;
  /** Asks for contracts, as for code that once ran behind a proxy. Resolves to whether more is known then; never rejects. */
  wantCode(addresses: ReadonlySet<Address>, network: Network): Promise<boolean>;
  /** What is verified at an address itself, once it was wanted. */
  contractAt(address: Address, chainId: number): VerifiedContract | undefined;
  /** Other chains on which something is verified at an address; none where nobody may be asked. */
  verifiedOn(address: Address, network: Network): Promise<readonly number[]>;
  /** Forgets all, so that it is asked for anew; nobody is asked any further meanwhile. */
  clear(): void;
  dispose(): void;
}

export function createVerifiedEvents(deps: VerifiedEventsDeps): VerifiedEvents {
  const { sources, consent, beside, kept, log, onDidChange } = deps;
  // What is asked now ends when all is forgotten: who is asked may be somebody who may not be any more.
  let asking = new AbortController();
  let isOver = false;
  const contracts = createVerifiedCache();
  const names = createSignatureCache();
  const lookup = mergeLookups(beside, contracts.lookup, names.lookup);

  const tellFailure = ({ kind, details }: AppError) =>
    log.debug(`${details.source?.name ?? 'source'} ${details.source?.origin ?? ''}: ${kind}`);

  /** Reads that are on their way: what one of them waits for may explain what another has left. */
  let underWay = 0;
  async function whileUnderWay<T>(task: () => Promise<T>): Promise<T> {
    underWay++;
    try {
      return await task();
    } finally {
      underWay--;
    }
  }

  async function readCode(addresses: ReadonlySet<Address>, network: Network): Promise<boolean> {
    const { signal } = asking;
    const source = addresses.size > 0 ? await sources.abiSource(network) : undefined;
    if (!source || signal.aborted) return false;
    let isFound = false;
    const onFound = () => {
      isFound = true;
    };
    const { chainId, rpcUrl: endpoint } = network;
    const asked = { chainId, endpoint, source, signal, onFound, onFailure: tellFailure };
    await whileUnderWay(() => contracts.want(addresses, asked));
    if (signal.aborted || !isFound) return false;
    onDidChange();
    await kept.save().catch((error: unknown) => log.debug(String(error)));
    return true;
  }

  async function read(logs: readonly PositionedLog[], network: Network): Promise<void> {
    const { signal } = asking;
    const { chainId, rpcUrl: endpoint } = network;
    const [source, signatures] = await Promise.all([sources.abiSource(network), sources.signatures()]);
    if (signal.aborted) return;
    await whileUnderWay(() =>
      prefetchAbis(logs, {
        ...{ chainId, endpoint, lookup, signal },
        contracts: source && { store: contracts, source },
        signatures: signatures && { store: names, source: signatures },
        onFound: () => !signal.aborted && onDidChange(),
        onFailure: tellFailure,
      }),
    );
    if (signal.aborted) return;
    await kept.save();
    if (underWay === 0) await askWhereUnknown(logs, network);
  }

  /** Where something is left that nothing explains, a third party may know it. */
  async function askWhereUnknown(logs: readonly PositionedLog[], network: Network): Promise<void> {
    const decoder = createLogDecoder({ lookup, chainId: network.chainId });
    const unknown = logs.find((one) => 'reason' in decoder.decode(one));
    if (!unknown) return;
    const [topic0] = unknown.topics;
    if (consent.urlOf('sourcify') === undefined) {
      await consent.ask('sourcify', toChecksumAddress(unknown.address), network);
    }
    if (topic0 !== undefined && consent.urlOf('signatures') === undefined) {
      await consent.ask('signatures', topic0, network);
    }
  }

  return {
    lookup: mergeLookups(contracts.lookup, names.lookup),
    abiAt: contracts.abiAt,
    want: (logs, network) => read(logs, network).catch((error: unknown) => log.debug(String(error))),
    wantCode: (addresses, network) =>
      readCode(addresses, network).catch((error: unknown) => {
        log.debug(String(error));
        return false;
      }),
    contractAt(address, chainId) {
      const [contract] = contracts.at({ address, chainId })?.contracts ?? [];
      return contract?.address === address ? contract : undefined;
    },
    async verifiedOn(address, network) {
      try {
        const asked = await sources.contractsOf(network);
        const chainIds = await fetchVerifiedChains(asked, address, asking);
        return chainIds.filter((chainId) => chainId !== network.chainId);
      } catch (error) {
        log.debug(String(error));
        return [];
      }
    },
    clear() {
      asking.abort();
      if (!isOver) asking = new AbortController();
      contracts.clear();
      names.clear();
      onDidChange();
    },
    dispose() {
      isOver = true;
      asking.abort();
    },
  };
}
