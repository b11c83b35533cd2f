import type { AbiLookup } from '../abi/candidates.ts';
import type { PrefetchSelectors } from '../abi/explainData.ts';
import type { LogDecoder } from '../abi/logDecoder.ts';
import type { AbiResolver } from '../abi/lookup.ts';
import type { Clock } from '../base/clock.ts';
import type { Abortable } from '../base/concurrency.ts';
import type { ChainClient } from '../client/chainClient.ts';
import type { Address } from '../eth/hex.ts';
import type { BlockTime } from '../eth/time.ts';
import type { Dialect } from '../logs/engine/dialect.ts';
import type { PositionedLog } from '../logs/log.ts';
import type { LogClient } from '../logs/query/logQuery.ts';
import type { ContractIndex } from '../project/index/contractIndex.ts';
import type { ProjectFiles } from '../project/projectFiles.ts';
import type { ProviderPorts } from '../providers/provider.ts';
import type { NativeBalance } from '../rpc/methods.ts';
import type { TransferStandard } from '../tokens/transferStandard.ts';
import type { TraceReader } from '../traces/fetchTrace.ts';

/** What operations need from one network, with or without an editor. */
export interface OperationDeps {
  readonly network: OperationNetwork;
  readonly client: OperationClient;
  /** Undefined if neither the user nor the server names it. */
  chainId(options: Abortable): Promise<number | undefined>;
  knowledge(options: Abortable): Promise<OperationKnowledge>;
  /** Undefined if no provider serves the network. */
  provider<Port extends OperationPort>(
    port: Port,
    options: Abortable,
  ): Promise<ProviderPorts[Port] | undefined>;
  /** Writes rows as files; undefined if that is not allowed. */
  readonly files: EventFiles | undefined;
  readonly clock: Clock;
  readonly version: string;
}

interface OperationNetwork {
  readonly name: string | undefined;
  readonly rpcUrl: string;
  /** Of the native coin. */
  readonly symbol: string | undefined;
  readonly decimals: number;
}

/** What is known without a request, from project files, verified contracts and bundled lists. */
export interface OperationKnowledge extends LogDecoder {
  readonly index: ContractIndex | undefined;
  /** The user's own names of addresses on this chain, besides those of the index. */
  readonly names: readonly { readonly name: string; readonly address: Address }[];
  readonly lookup: AbiLookup;
  readonly code: AbiResolver;
  /** Loads what decoding these logs requires. */
  prepare(logs: readonly PositionedLog[]): Promise<unknown>;
  /** The files of the index, for what compilers wrote. */
  readonly files?: Pick<ProjectFiles, 'list' | 'read'> | undefined;
  /** The text of a source file of the index; undefined if it cannot be read. */
  readSource?(file: string): Promise<string | undefined>;
  /** Fetches verified ABIs of these addresses, if a provider for them is allowed. */
  prefetchAbis(addresses: readonly Address[]): Promise<unknown>;
  /** Of functions and errors that `lookup` does not know. */
  readonly prefetchSelectors?: PrefetchSelectors | undefined;
}

/** The part of a `ChainClient` that operations use. */
interface OperationClient
  extends LogClient,
    TraceReader,
    Pick<
      ChainClient,
      | 'callAtBlock'
      | 'fetchImplementations'
      | 'fetchProxy'
      | 'fetchTokenUnits'
      | 'findBlockAt'
      | 'getBlockHash'
      | 'getCode'
      | 'getTaggedBlock'
      | 'requireCode'
    > {
  /** The current chain ID of the server; undefined if it does not offer the method. */
  getChainId(options?: Abortable): Promise<number | undefined>;
  /** What the value of a contract's `Transfer` is; undefined if the contract does not tell. */
  fetchTransferStandard?(
    contract: Address,
    value: bigint,
    options?: Abortable,
  ): Promise<TransferStandard | undefined>;
  getBlockNumber(options?: Abortable): Promise<bigint>;
  getBalance(address: Address, options?: Abortable): Promise<NativeBalance>;
  fetchBlockTimes(
    blocks: readonly bigint[],
    options?: Abortable,
  ): Promise<ReadonlyMap<bigint, BlockTime> | undefined>;
  dialect(): Dialect | undefined;
}

export type OperationPort = 'holdings' | 'identity' | 'transactions';

/** `share` is from 0 to 1. */
export interface OperationProgress {
  readonly share: number;
  readonly message: string;
}

export interface OperationOptions extends Abortable {
  readonly onProgress?: ((progress: OperationProgress) => void) | undefined;
}

export interface WrittenFile {
  readonly path: string;
  readonly bytes: number;
  /** Lower-case hex. */
  readonly sha256: string;
}

export interface EventFiles {
  /**
   * Writes a new file and a second one that describes it. Neither exists unless both are complete.
   *
   * @param name with extension, without a folder.
   * @throws AppError `badInput` for `file` if one of them exists.
   */
  write(
    name: string,
    content: AsyncIterable<Uint8Array>,
    record: () => { readonly name: string; readonly content: Uint8Array },
  ): Promise<WrittenFile>;
}
