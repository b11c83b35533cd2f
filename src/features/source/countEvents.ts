import type * as vscode from 'vscode';
import {
  type Address,
  type ChainClient,
  type DeploymentBlock,
  type EventTally,
  type IndexedDeployment,
  type LoadProgress,
  tallyEvents,
  type VerdictReason,
} from '../../core/index.ts';
import { parseChainId } from '../../host/names/addressName.ts';
import type { Connection, Session } from '../../host/session/session.ts';

/** An event declared in a source, with the deployments at which it may have fired. */
export interface CountedEvent {
  readonly name: string;
  /** With its types as in the ABI. */
  readonly declaration: string;
  readonly topic0: () => `0x${string}`;
  readonly deployments: readonly IndexedDeployment[];
}

/** Events with the same deployments, which one query counts. */
export interface CountedGroup {
  readonly events: readonly CountedEvent[];
  readonly addresses: readonly Address[];
  readonly deployments: number;
  /** Undefined if the block of a deployment is unknown. */
  readonly fromBlock: bigint | undefined;
  /** Those with a known block, which confirm `fromBlock`. */
  readonly created: readonly DeploymentBlock[];
}

/** A factory may have more children than a server accepts in one filter. */
const MAX_ADDRESSES = 50;
/** If a query has more rows, the counts are lower bounds. */
const MAX_ROWS = 50_000;

/** The first deployment addresses on a chain. */
export function listCountedAddresses(
  deployments: readonly IndexedDeployment[],
  chainId: number,
): readonly Address[] {
  return listAddressesOnChain(deployments, chainId).slice(0, MAX_ADDRESSES);
}

function listAddressesOnChain(
  deployments: readonly IndexedDeployment[],
  chainId: number,
): readonly Address[] {
  const here = deployments.filter(
    (deployment) => parseChainId(deployment.chainId) === chainId && deployment.state !== 'missing',
  );
  return [...new Set(here.map(({ address }) => address))];
}

/** Groups the events deployed on the chain by their addresses. */
export function groupCountedEvents(
  events: readonly CountedEvent[],
  chainId: number,
): readonly CountedGroup[] {
  const groups = new Map<string, CountedEvent[]>();
  for (const event of events) {
    const addresses = listCountedAddresses(event.deployments, chainId);
    if (addresses.length === 0) continue;
    const key = [...addresses].sort().join();
    const group = groups.get(key);
    if (group) group.push(event);
    else groups.set(key, [event]);
  }
  return [...groups.values()].map((group) => {
    const deployments = group[0]?.deployments ?? [];
    const addresses = listCountedAddresses(deployments, chainId);
    const counted = deployments.filter(
      ({ address, chainId: id }) => addresses.includes(address) && parseChainId(id) === chainId,
    );
    const created = counted.flatMap(({ address, block, transaction, isRepeated }) =>
      block === undefined ? [] : [{ address, block, transaction, ...(isRepeated && { isRepeated }) }],
    );
    const lowest = created.reduce<bigint | undefined>(
      (low, { block }) => (low === undefined || block < low ? block : low),
      undefined,
    );
    return {
      events: group,
      addresses,
      deployments: listAddressesOnChain(deployments, chainId).length,
      fromBlock: created.length === counted.length ? lowest : undefined,
      created,
    };
  });
}

/** Counts the events of a group; the keys are their declarations. */
export async function countEventGroup(
  client: Pick<ChainClient, 'openLogQuery' | 'fetchBlockTimes'>,
  { events, addresses, deployments, fromBlock, created }: CountedGroup,
  options: { readonly signal: AbortSignal; readonly onProgress: (progress: LoadProgress) => void },
): Promise<ReadonlyMap<string, EventCount>> {
  const topics0 = [...new Set(events.map(({ topic0 }) => topic0()))];
  const start = fromBlock === undefined ? { fromBlock: 0n } : { fromBlock, deployments: created };
  const query = { addresses, topics0, ...start, most: MAX_ROWS };
  const { events: tallies, reasons, ...range } = await tallyEvents(client, query, options);
  const times = await fetchLastTimes(client, tallies, options.signal);
  return new Map(
    events.flatMap((event) => {
      const tally = tallies.find(({ topic0 }) => topic0 === event.topic0());
      if (!tally) return [];
      const { count, isWhole, last, from } = tally;
      const block = last?.blockNumber;
      const counted: EventCount = {
        count,
        isWhole,
        reasons,
        addresses,
        deployments,
        fromBlock: isWhole ? range.fromBlock : from,
        toBlock: range.toBlock,
        last: block === undefined ? undefined : { block, time: last?.time ?? times.get(block) },
      };
      return [[event.declaration, counted] as const];
    }),
  );
}

/** Block times of the last logs if the logs have none, fetched together. */
async function fetchLastTimes(
  client: Pick<ChainClient, 'fetchBlockTimes'>,
  tallies: readonly EventTally[],
  signal: AbortSignal,
): Promise<ReadonlyMap<bigint, number>> {
  const lacking = tallies.flatMap(({ last }) => (last && last.time === undefined ? [last.blockNumber] : []));
  const blocks = [...new Set(lacking)];
  // The count is shown even without an age.
  const times =
    blocks.length === 0 ? undefined : await client.fetchBlockTimes(blocks, { signal }).catch(() => undefined);
  signal.throwIfAborted();
  return new Map([...(times ?? [])].map(([block, { time }]) => [block, time]));
}

/** How often an event has fired at the deployments of its contract, when it was counted. */
export interface EventCount {
  readonly count: number;
  /** Otherwise `count` is a lower bound. */
  readonly isWhole: boolean;
  readonly fromBlock: bigint;
  readonly toBlock: bigint;
  readonly reasons: readonly VerdictReason[];
  readonly last: { readonly block: bigint; readonly time: number | undefined } | undefined;
  /** The deployments queried; there may be more, as `deployments` says. */
  readonly addresses: readonly Address[];
  readonly deployments: number;
}

/** Counts on the active network. */
export interface EventCountCache extends vscode.Disposable {
  get(declaration: string, addresses: readonly Address[]): EventCount | undefined;
  /** Ignored if the connection is no longer the active one. */
  put(connection: Connection, counted: ReadonlyMap<string, EventCount>): void;
}

export function createEventCountCache(
  session: Pick<Session, 'connection' | 'onDidChange'>,
  onDidChange: () => void,
): EventCountCache {
  const counts = new Map<string, EventCount>();
  const subscription = session.onDidChange(() => counts.clear());
  return {
    get: (declaration, addresses) => counts.get(getKey(declaration, addresses)),
    put(connection, counted) {
      if (connection !== session.connection) return;
      for (const [declaration, count] of counted) counts.set(getKey(declaration, count.addresses), count);
      onDidChange();
    },
    dispose: () => subscription.dispose(),
  };
}

function getKey(declaration: string, addresses: readonly Address[]): string {
  return [declaration, ...[...addresses].sort()].join('\n');
}
