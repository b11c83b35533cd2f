import {
  AppError,
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
import type { Connection, Session } from './session/session.ts';

export interface SessionOperationsDeps {
  readonly session: Session;
  readonly contracts: WorkspaceContracts;
  /** What addresses are called; loaded with the first use. */
  readonly names: () => Promise<AddressNames>;
  /** What gives logs a meaning; loaded with the first use. */
  readonly meaning: () => Promise<LogDecoding>;
  readonly clock: Clock;
  /** Of the extension. */
  readonly version: string;
}

/** The operations on the network that is active, with what the workspace knows. */
export interface SessionOperations {
  /** As `runOperation` of core, of the network that is active now. */
  run(name: OperationName, input: unknown, options?: OperationOptions): Promise<OperationResult>;
  /** What the operations of one connection work with. */
  depsOf(connection: Connection): OperationDeps;
}

export function createSessionOperations(deps: SessionOperationsDeps): SessionOperations {
  const { session } = deps;
  const known = new WeakMap<Connection, OperationDeps>();

  function depsOf(connection: Connection): OperationDeps {
    const operations = known.get(connection) ?? connectionDeps(connection, deps);
    known.set(connection, operations);
    return operations;
  }

  return {
    depsOf,
    run(name, input, options = {}) {
      const { connection } = session;
      const { signal: given } = options;
      const signal = given ? AbortSignal.any([given, connection.signal]) : connection.signal;
      return runOperation({ name, input }, depsOf(connection), { ...options, signal });
    },
  };
}

function connectionDeps(
  { network, isChosen }: Connection,
  { session, contracts, names, meaning, clock, version }: SessionOperationsDeps,
): OperationDeps {
  const { chainId } = network;
  let sent = 0;
  const http = session.httpFor(network);
  const counted: HttpDeps = {
    ...http,
    fetch: async (...request) => {
      if (!isChosen) throw notChosen();
      sent++;
      return http.fetch(...request);
    },
  };
  const client = createChainClient({ ...counted, url: network.rpcUrl });
  const asked = { network, client };
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
      const [index, called, says] = await Promise.all([contracts.index(), names(), meaning()]);
      return {
        index,
        names: called.all(chainId).map(({ name, address }) => ({ name, address })),
        lookup: says.lookup,
        code: { abiAt: () => undefined },
        decode: (log) => says.decoder(chainId).decode(log),
        prepare: (logs) => says.fetchMeaning({ ...asked, logs, contracts: [] }),
        prefetchAbis: (addresses) => says.fetchMeaning({ ...asked, logs: [], contracts: addresses }),
      };
    },
    async provider(port) {
      const access = await session.provider(port);
      return access.state === 'ready' ? access.provider : undefined;
    },
    files: undefined,
    sent: () => sent,
    ...{ clock, version },
  };
}

function notChosen(): AppError {
  return new AppError('notChosen', 'No network is chosen.');
}
