import type * as vscode from 'vscode';
import {
  type Address,
  type ChainClient,
  type Clock,
  type EventTally,
  type IndexedDeployment,
  type LoadProgress,
  tallyEvents,
  type VerdictReason,
} from '../../core/index.ts';
import { parseChainId } from '../../host/names/addressName.ts';
import type { Connection, Session } from '../../host/session/session.ts';

/** An event that is declared in a source, with the deployments that it may have fired at. */
export interface CountedEvent {
  readonly name: string;
  /** With its types as the ABI has them. */
  readonly declaration: string;
  readonly topic0: () => `0x${string}`;
  readonly deployments: readonly IndexedDeployment[];
}

/** Events of the same deployments: they are counted by one query. */
export interface CountedGroup {
  readonly events: readonly CountedEvent[];
  readonly addresses: readonly Address[];
  readonly deployments: number;
  /** From where on there may be logs; undefined where of one deployment that is not known. */
  readonly fromBlock: bigint | undefined;
}

/** So many addresses are asked about at once: those of a factory's children are more than a server takes. */
const MAX_ADDRESSES = 50;
/** Rows of one query, after which its most frequent event has at least as many as came. */
const MAX_ROWS = 50_000;

/** The addresses of deployments on a chain that are asked about, the first ones of many. */
export function listCountedAddresses(
  deployments: readonly IndexedDeployment[],
  chainId: number,
): readonly Address[] {
  return onChain(deployments, chainId).slice(0, MAX_ADDRESSES);
}

function onChain(deployments: readonly IndexedDeployment[], chainId: number): readonly Address[] {
  const here = deployments.filter((deployment) => parseChainId(deployment.chainId) === chainId);
  return [...new Set(here.map(({ address }) => address))];
}

/** The events that are deployed on the chain, together where they are at the same addresses. */
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
    const blocks = deployments
      .filter(({ address, chainId: id }) => addresses.includes(address) && parseChainId(id) === chainId)
      .map(({ block }) => block);
    const known = blocks.filter((block) => block !== undefined);
    const lowest = known.reduce<bigint | undefined>(
      (low, block) => (low === undefined || block < low ? block : low),
      undefined,
    );
    return {
      events: group,
      addresses,
      deployments: onChain(deployments, chainId).length,
      fromBlock: known.length === blocks.length ? lowest : undefined,
    };
  });
}

/** Counts the events of a group, by their declarations. */
export async function countEventGroup(
  client: Pick<ChainClient, 'openLogQuery' | 'fetchBlockTimes'>,
  { events, addresses, deployments, fromBlock }: CountedGroup,
  options: { readonly signal: AbortSignal; readonly onProgress: (progress: LoadProgress) => void },
): Promise<ReadonlyMap<string, EventCount>> {
  const topics0 = [...new Set(events.map(({ topic0 }) => topic0()))];
  const question = { addresses, topics0, fromBlock: fromBlock ?? 0n, most: MAX_ROWS };
  const { events: tallies, reasons, ...asked } = await tallyEvents(client, question, options);
  const times = await timesOf(client, tallies, options.signal);
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
        fromBlock: isWhole ? asked.fromBlock : from,
        toBlock: asked.toBlock,
        last: block === undefined ? undefined : { block, time: last?.time ?? times.get(block) },
      };
      return [[event.declaration, counted] as const];
    }),
  );
}

/** When the last ones fired, where the logs came without times: in one question for all of them. */
async function timesOf(
  client: Pick<ChainClient, 'fetchBlockTimes'>,
  tallies: readonly EventTally[],
  signal: AbortSignal,
): Promise<ReadonlyMap<bigint, number>> {
  const lacking = tallies.flatMap(({ last }) => (last && last.time === undefined ? [last.blockNumber] : []));
  const blocks = [...new Set(lacking)];
  // A count without an age is worth as much.
  const known =
    blocks.length === 0 ? undefined : await client.fetchBlockTimes(blocks, { signal }).catch(() => undefined);
  signal.throwIfAborted();
  return new Map([...(known ?? [])].map(([block, { time }]) => [block, time]));
}

/** How often an event has fired at the deployments of its contract, as it was when it was counted. */
export interface EventCount {
  readonly count: number;
  /** Else there are at least so many. */
  readonly isWhole: boolean;
  readonly fromBlock: bigint;
  readonly toBlock: bigint;
  /** Why there may be more. */
  readonly reasons: readonly VerdictReason[];
  readonly last: { readonly block: bigint; readonly time: number | undefined } | undefined;
  /** How many deployments there are, of which some may not have been asked about. */
  readonly addresses: readonly Address[];
  readonly deployments: number;
}

/** What was counted, for the active network alone: another one has its own. */
export interface EventCountCache extends vscode.Disposable {
  readonly size: number;
  of(declaration: string, addresses: readonly Address[]): EventCount | undefined;
  /** Takes what was counted over a connection, if that is still the active one. */
  put(connection: Connection, counted: ReadonlyMap<string, EventCount>): void;
}

/** So often what is said of ages is said anew. */
const AGE_REFRESH_MS = 60_000;

export function createEventCountCache(
  {
    session,
    clock,
  }: { readonly session: Pick<Session, 'connection' | 'onDidChange'>; readonly clock: Clock },
  onDidChange: () => void,
): EventCountCache {
  const counts = new Map<string, EventCount>();
  let aging: AbortController | undefined;

  function forget(): void {
    aging?.abort();
    aging = undefined;
    counts.clear();
  }
  async function tellAges({ signal }: AbortController): Promise<void> {
    while (!signal.aborted) {
      await clock.sleep(AGE_REFRESH_MS, { signal });
      onDidChange();
    }
  }
  const following = session.onDidChange(forget);

  return {
    get size() {
      return counts.size;
    },
    of: (declaration, addresses) => counts.get(keyOf(declaration, addresses)),
    put(connection, counted) {
      if (connection !== session.connection) return;
      for (const [declaration, count] of counted) counts.set(keyOf(declaration, count.addresses), count);
      if (!aging && counts.size > 0) {
        aging = new AbortController();
        tellAges(aging).catch(() => undefined);
      }
      onDidChange();
    },
    dispose() {
      following.dispose();
      forget();
    },
  };
}

function keyOf(declaration: string, addresses: readonly Address[]): string {
  return [declaration, ...[...addresses].sort()].join('\n');
}
