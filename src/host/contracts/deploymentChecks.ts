import type * as vscode from 'vscode';
import {
  type Address,
  type AddressCheck,
  type Clock,
  type ContractIndex,
  createDeploymentChecker,
  isAppError,
  listAddressesToCheck,
  type Network,
} from '../../core/index.ts';
import { Disposables } from '../disposables.ts';
import { formatErrorForLog } from '../log.ts';
import { isOnLocalChain, type LatestBlock, MAX_LOCAL_BLOCKS } from '../session/localChain.ts';
import { isOnBothNetworks, isSameChain } from '../session/networks.ts';
import type { Connection, Session } from '../session/session.ts';
import type { WorkspaceContracts } from './workspaceContracts.ts';

/** What is at the addresses of a development chain of this machine, and at those that a user has chosen elsewhere. */
export interface DeploymentChecks extends vscode.Disposable {
  /** Finds contracts at further addresses of a network by their code: those that its logs and receipts name. */
  include(addresses: Iterable<Address>, network: Network): void;
  /**
   * Checks deployments on the active chain before a user queries or reads them, if it is a chain of another machine:
   * without a click, nothing is sent there. Also checks deployments of the same name, and proxies. Never rejects.
   */
  checkChosen(addresses: readonly Address[]): Promise<void>;
}

type Checker = ReturnType<typeof createDeploymentChecker>;

export interface DeploymentChecksDeps {
  readonly session: Pick<Session, 'connection' | 'isChosen' | 'network' | 'onDidChange'>;
  readonly contracts: WorkspaceContracts;
  readonly head: LatestBlock;
  readonly clock: Clock;
  readonly log: Pick<vscode.LogOutputChannel, 'debug'>;
}

/** Addresses that are checked after each block; a chain of this machine has some ten. */
const MAX_ADDRESSES = 500;
/** A longer chain on this machine may be a fork, whose node asks another server for each address. */
const MAX_FORKED_ADDRESSES = 50;
/** Checked on a click, which waits for it. */
const MAX_CHOSEN = 50;
const MAX_CHOSEN_MS = 5_000;
/** A proxy may be upgraded meanwhile. */
const CHOSEN_TTL_MS = 60_000;
/** Of logs and receipts. The oldest are dropped first. */
const MAX_INCLUDED = 500;

const NOTHING_CHOSEN = { addresses: new Set<Address>(), records: '', version: -1, at: 0 };

/** Changes with the deployments on a chain. */
function formatRecords({ deploymentRecords }: ContractIndex, chainId: number): string {
  const here = deploymentRecords.filter((one) => one.chainId === String(chainId));
  return here
    .map(({ address, contract, transaction }) => [address, contract, transaction].join(' '))
    .join('\n');
}

/**
 * Checks the deployments of the workspace on a development chain of this machine, which often starts anew: whenever the
 * workspace was read, and after each block.
 */
export function createDeploymentChecks(deps: DeploymentChecksDeps): DeploymentChecks {
  const { session, contracts, head, clock, log } = deps;
  const disposables = new Disposables();
  const ended = new AbortController();
  const included = new Set<Address>();
  let checker:
    | { readonly index: ContractIndex; readonly connection: Connection; readonly own: Checker }
    | undefined;
  let last:
    | {
        readonly network: Network;
        readonly checks: ReadonlyMap<Address, AddressCheck>;
        readonly text: string;
        readonly block: bigint;
      }
    | undefined;
  /** What was checked on a click, and the index since. */
  let chosen = NOTHING_CHOSEN;
  let isDue = false;
  let hasFailed = false;
  /** The index changes by what was found. */
  let isSettling = false;
  let isRunning = false;

  function getChecker(index: ContractIndex, connection: Connection): Checker {
    if (checker?.index !== index || checker.connection !== connection) {
      const { client, network } = connection;
      const { files } = contracts;
      if (!files) throw new Error('The files of an index are known.');
      const own = createDeploymentChecker({ client, chainId: network.chainId, index, files, clock });
      checker = { index, connection, own };
      last &&= { ...last, text: '' };
    }
    return checker.own;
  }

  function settle(network: Network, checks: ReadonlyMap<Address, AddressCheck>, block: bigint): void {
    const toJson = (_: string, value: unknown) => (typeof value === 'bigint' ? value.toString() : value);
    const text = JSON.stringify([...checks], toJson);
    isSettling = true;
    if (last?.text !== text) contracts.settle(network.chainId, checks);
    isSettling = false;
    last = { network, checks, text, block };
  }

  async function checkChosen(addresses: readonly Address[]): Promise<void> {
    const { connection } = session;
    const { known: index, state } = contracts;
    if (!session.isChosen || isOnLocalChain(session) || !index || state.kind !== 'ready') return;
    const { client, network } = connection;
    const { chainId } = network;
    const recorded = addresses
      .filter((one) => index.deploymentRecordsAt(one, chainId).length > 0)
      .slice(0, MAX_CHOSEN);
    if (recorded.length === 0) return;
    const doubtful = listAddressesToCheck(index, chainId, { isDoubtful: true, most: MAX_CHOSEN });
    const wanted = new Set([...recorded, ...doubtful].slice(0, MAX_CHOSEN));
    const isRecent = chosen.version === index.version && clock.elapsed() - chosen.at < CHOSEN_TTL_MS;
    if (isRecent && recorded.every((one) => chosen.addresses.has(one))) return;
    const deadline = AbortSignal.timeout(MAX_CHOSEN_MS);
    const signal = AbortSignal.any([connection.signal, ended.signal, deadline]);
    const isCurrent = () => connection === session.connection && index === contracts.known;
    try {
      const block = await client.getBlockNumber({ signal });
      const own = getChecker(index, connection);
      // A server with a rate limit may not answer for the others in time.
      for (const addresses of [recorded, [...wanted].filter((one) => !recorded.includes(one))]) {
        const checks = await own.check({ addresses, block }, { signal });
        if (!isCurrent()) return;
        settle(network, new Map([...(last?.checks ?? []), ...checks]), block);
      }
    } catch (error) {
      if (!signal.aborted && !isAppError(error)) throw error;
      // The files decide as long as the server does not answer.
      log.debug(formatErrorForLog(error));
    }
    if (!isCurrent()) return;
    // The next click does not wait for a slow server again.
    const records = formatRecords(index, chainId);
    chosen = { addresses: wanted, records, version: index.version, at: clock.elapsed() };
  }

  async function check(connection: Connection, signal: AbortSignal): Promise<void> {
    const { known: index, state } = contracts;
    if (!index || state.kind !== 'ready') return;
    const { chainId } = connection.network;
    if (!isOnLocalChain(session)) {
      // What was checked for the user holds as long as the files have the same deployments.
      if (!session.isChosen || chosen.records !== formatRecords(index, chainId)) forget();
      return;
    }
    const own = getChecker(index, connection);
    const block = await connection.client.getBlockNumber({ signal });
    const isOwnChain = block <= MAX_LOCAL_BLOCKS;
    const recorded = listAddressesToCheck(index, chainId, {
      most: isOwnChain ? MAX_ADDRESSES : MAX_FORKED_ADDRESSES,
    });
    const addresses = [...new Set([...recorded, ...(isOwnChain ? included : [])])];
    const checks = await own.check({ addresses, block }, { signal });
    if (connection === session.connection && index === contracts.known)
      settle(connection.network, checks, block);
  }

  /** What one node says is not true of another one with the same chain ID. */
  function forget(): void {
    if (last) contracts.settle(last.network.chainId, new Map());
    last = undefined;
    chosen = NOTHING_CHOSEN;
  }

  async function run(): Promise<void> {
    isRunning = true;
    try {
      while (isDue && !ended.signal.aborted) {
        isDue = false;
        const { connection } = session;
        const signal = AbortSignal.any([connection.signal, ended.signal]);
        await check(connection, signal).catch((error: unknown) => {
          if (signal.aborted) return;
          if (!isAppError(error)) throw error;
          // The files decide as long as the node does not answer.
          log.debug(formatErrorForLog(error));
        });
      }
    } finally {
      isRunning = false;
    }
  }

  function start(): void {
    isDue = true;
    if (!isRunning) void run();
  }

  disposables.add(
    contracts.onDidRead(() => {
      if (!isSettling) start();
    }),
  );
  disposables.add(
    head.onDidChange(() => {
      const { head: newest, error } = head.state;
      hasFailed ||= error !== undefined;
      if (!newest || error !== undefined || (!hasFailed && newest.block === last?.block)) return;
      hasFailed = false;
      if (isOnLocalChain(session)) start();
    }),
  );
  disposables.add(
    session.onDidChange(({ network }) => {
      included.clear();
      // On a new chain of the same node, the names stay until it has been asked.
      if (last && !isOnBothNetworks(last.network, network)) forget();
      start();
    }),
  );
  start();
  return {
    include(addresses, network) {
      if (!isOnLocalChain(session) || !isSameChain(network, session.network)) return;
      const before = included.size;
      for (const address of addresses) included.add(address);
      for (const address of included) {
        if (included.size <= MAX_INCLUDED) break;
        included.delete(address);
      }
      if (included.size !== before) start();
    },
    checkChosen,
    dispose() {
      ended.abort();
      disposables.dispose();
    },
  };
}
