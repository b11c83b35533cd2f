import type { AbiLookup } from '../../abi/candidates.ts';
import type { LogDecoder } from '../../abi/decode/logDecoder.ts';
import type { KnownCode } from '../../abi/lookup/knownCode.ts';
import type { Abortable } from '../../base/abortable.ts';
import type { Clock } from '../../base/clock.ts';
import type { ContractIndex } from '../../contracts/index/contractIndex.ts';
import type { PlacedLog } from '../../logs/query/log.ts';
import type { LogSource } from '../../logs/query/logQuery.ts';
import type { Dialect } from '../../logs/server/dialect.ts';
import type { NativeBalance } from '../../rpc/methods.ts';
import type { SourcePorts } from '../../sources/kind/sourceKind.ts';
import type { KnownTime } from '../../times/knownTime.ts';
import type { Address } from '../../values/address.ts';
import type { EventFiles } from './eventFiles.ts';

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
  readonly code: KnownCode;
  /** Asks for what these logs may mean. */
  prepare(logs: readonly PlacedLog[]): Promise<unknown>;
  /** Asks what is verified at these addresses, where somebody may be asked. */
  wantCode(addresses: readonly Address[]): Promise<unknown>;
}

/** What operations ask the endpoint itself; as of a `ChainClient`. */
export interface OperationClient extends LogSource {
  /** As the server tells it now; undefined where it does not. */
  chainId(options?: Abortable): Promise<number | undefined>;
  latestBlock(options?: Abortable): Promise<bigint>;
  nativeBalance(address: Address, options?: Abortable): Promise<NativeBalance>;
  blockTimes(
    blocks: readonly bigint[],
    options?: Abortable,
  ): Promise<ReadonlyMap<bigint, KnownTime> | undefined>;
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
  source<Port extends OperationPort>(port: Port, options: Abortable): Promise<SourcePorts[Port] | undefined>;
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
  readonly words: string;
}

export interface OperationOptions extends Abortable {
  readonly onProgress?: ((progress: OperationProgress) => void) | undefined;
}
