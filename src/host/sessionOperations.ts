import {
  type Clock,
  createChainClient,
  type HttpDeps,
  type OperationDeps,
  type OperationName,
  type OperationOptions,
  type OperationResult,
  runOperation,
} from '../core/index.ts';
import type { WorkspaceContracts } from './contracts/workspaceContracts.ts';
import type { LogDecoding } from './logDecoding.ts';
import type { AddressNames } from './names/addressNames.ts';
import { type Connection, notChosen, type Session } from './session/session.ts';
import { settleWithin } from './timing.ts';
import { readTextFile } from './workspace/listFiles.ts';

/** A slow provider of names must not delay an operation longer. */
const SIGNATURES_TIMEOUT_MS = 4_000;

export interface SessionOperationsDeps {
  readonly session: Session;
  readonly contracts: WorkspaceContracts;
  /** Loaded with the first use. */
  readonly names: () => Promise<AddressNames>;
  /** Loaded with the first use. */
  readonly meaning: () => Promise<LogDecoding>;
  readonly clock: Clock;
  readonly version: string;
}

/** Runs operations on the active network, with the knowledge of the workspace. */
export interface SessionOperations {
  /** As `runOperation` of core, on the network that is active now. */
  run(name: OperationName, input: unknown, options?: OperationOptions): Promise<OperationResult>;
  /** The dependencies of operations on one connection. */
  depsOf(connection: NetworkChoice): OperationDeps;
}

type NetworkChoice = Pick<Connection, 'isChosen' | 'network'>;

export function createSessionOperations(deps: SessionOperationsDeps): SessionOperations {
  const { session } = deps;
  const cache = new WeakMap<NetworkChoice, OperationDeps>();

  function depsOf(connection: NetworkChoice): OperationDeps {
    const operationDeps = cache.get(connection) ?? createOperationDeps(connection, deps);
    cache.set(connection, operationDeps);
    return operationDeps;
  }

  return {
    depsOf,
    run(name, input, options = {}) {
      const { connection } = session;
      const { signal: callerSignal } = options;
      const signal = callerSignal ? AbortSignal.any([callerSignal, connection.signal]) : connection.signal;
      return runOperation({ name, input }, depsOf(connection), { ...options, signal });
    },
  };
}

function createOperationDeps(
  { network, isChosen }: NetworkChoice,
  { session, contracts, names, meaning, clock, version }: SessionOperationsDeps,
): OperationDeps {
  const { chainId } = network;
  const http = session.httpFor(network);
  const guarded: HttpDeps = {
    ...http,
    fetch: async (...request) => {
      if (!isChosen) throw notChosen();
      return http.fetch(...request);
    },
  };
  const client = createChainClient({ ...guarded, url: network.rpcUrl });
  const endpoint = { network, client };
  return {
    network: {
      name: network.name,
      rpcUrl: network.rpcUrl,
      symbol: network.symbol,
      decimals: network.decimals,
    },
    client,
    async chainId() {
      if (!isChosen) throw notChosen();
      return chainId;
    },
    async knowledge() {
      const [index, addressNames, decoding] = await Promise.all([contracts.index(), names(), meaning()]);
      return {
        index,
        // Deployments are in the index, with what tells the newest.
        names: addressNames
          .all(chainId)
          .flatMap(({ name, address, provider }) => (provider === 'deployment' ? [] : [{ name, address }])),
        lookup: decoding.lookupOn(network),
        async readSource(file) {
          const uri = contracts.uriOf(file);
          return uri && (await readTextFile(uri));
        },
        code: decoding.code,
        files: contracts.files,
        decode: (log) => decoding.decoder(network).decode(log),
        prepare: (logs) => decoding.fetchMeaning({ ...endpoint, logs, contracts: [] }),
        prefetchAbis: (addresses) => decoding.fetchMeaning({ ...endpoint, logs: [], contracts: addresses }),
        prefetchSelectors: (selectors) =>
          settleWithin(
            SIGNATURES_TIMEOUT_MS,
            decoding.prefetchSelectors(selectors, network, { mayAsk: true }),
          ),
      };
    },
    async provider(port) {
      const access = await session.provider(port);
      return access.state === 'ready' ? access.provider : undefined;
    },
    files: undefined,
    clock,
    version,
  };
}
