import type { AbiLookup } from '../abi/candidates.ts';
import type { LogDecoder } from '../abi/logDecoder.ts';
import type { AbiResolver } from '../abi/lookup.ts';
import type { Clock } from '../base/clock.ts';
import type { Abortable } from '../base/concurrency.ts';
import type { Address } from '../eth/hex.ts';
import type { BlockTime } from '../eth/time.ts';
import type { Dialect } from '../logs/engine/dialect.ts';
import type { PositionedLog } from '../logs/log.ts';
import type { LogClient } from '../logs/query/logQuery.ts';
import type { ContractIndex } from '../project/index/contractIndex.ts';
import type { ProviderPorts } from '../providers/provider.ts';
import type { NativeBalance } from '../rpc/methods.ts';

/** The network that operations are about. */
export interface OperationNetwork {
  /** Undefined where nobody has named it. */
  readonly name: string | undefined;
  readonly rpcUrl: string;
  /** Of the chain's own coin. */
  readonly symbol: string | undefined;
  readonly decimals: number;
}

/** What is known without asking for it each time: by the files of projects, by sources, by bundled lists. */
export interface OperationKnowledge extends LogDecoder {
  /** Undefined where no project is read. */
  readonly index: ContractIndex | undefined;
  /** Names of addresses on this chain beside those of the index: a user's own. */
  readonly names: readonly { readonly name: string; readonly address: Address }[];
  readonly lookup: AbiLookup;
  readonly code: AbiResolver;
  /** Asks for what these logs may mean. */
  prepare(logs: readonly PositionedLog[]): Promise<unknown>;
  /** Asks what is verified at these addresses, where somebody may be asked. */
  prefetchAbis(addresses: readonly Address[]): Promise<unknown>;
}

/** What operations ask the endpoint itself; as of a `ChainClient`. */
export interface OperationClient extends LogClient {
  /** As the server tells it now; undefined where it does not. */
  getChainId(options?: Abortable): Promise<number | undefined>;
  getBlockNumber(options?: Abortable): Promise<bigint>;
  getBalance(address: Address, options?: Abortable): Promise<NativeBalance>;
  fetchBlockTimes(
    blocks: readonly bigint[],
    options?: Abortable,
  ): Promise<ReadonlyMap<bigint, BlockTime> | undefined>;
  /** What has been learnt about the server so far. */
  dialect(): Dialect;
}

/** What operations may ask a source for. */
export type OperationPort = 'holdings' | 'identity' | 'transactions';

/** All that an operation works with: of one network, and of no editor. */
export interface OperationDeps {
  readonly network: OperationNetwork;
  readonly client: OperationClient;
  /** Undefined where neither the user nor the server tells. */
  chainId(options: Abortable): Promise<number | undefined>;
  knowledge(options: Abortable): Promise<OperationKnowledge>;
  /** Undefined where the network has nobody to ask. */
  provider<Port extends OperationPort>(
    port: Port,
    options: Abortable,
  ): Promise<ProviderPorts[Port] | undefined>;
  /** Where rows may be written as files; undefined where they may not. */
  readonly files: EventFiles | undefined;
  /** Requests that were sent so far, by all that the client and the sources did. */
  sent(): number;
  readonly clock: Clock;
  /** Of Chainside. */
  readonly version: string;
}

/** How far an operation is, from 0 to 1, in words beside it. */
export interface OperationProgress {
  readonly share: number;
  readonly message: string;
}

export interface OperationOptions extends Abortable {
  readonly onProgress?: ((progress: OperationProgress) => void) | undefined;
}

/** A file that was written, and its digest. */
export interface WrittenFile {
  readonly path: string;
  readonly bytes: number;
  /** Lower-case hex. */
  readonly sha256: string;
}

/** Where the rows of an answer may be written: a folder that the user has named. */
export interface EventFiles {
  /**
   * Writes a new file, and another beside it that tells what is in it; neither is there unless both are whole.
   *
   * @param name with its extension, without a folder.
   * @throws AppError `badInput` for `file` where one of them is there already: nothing is overwritten.
   */
  write(
    name: string,
    content: AsyncIterable<Uint8Array>,
    record: () => { readonly name: string; readonly content: Uint8Array },
  ): Promise<WrittenFile>;
}
