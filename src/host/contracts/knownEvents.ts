import {
  type AbiItemText,
  type AbiLookup,
  compareNewestFirst,
  compareValues,
  type IndexedContract,
  type IndexedDeployment,
  type LocatedItem,
  mergeLookups,
  type TimeSlices,
} from '../../core/index.ts';
import type { WorkspaceContracts } from './workspaceContracts.ts';

/** An event to choose from, with its highest-ranking contract or list. */
export interface KnownEvent {
  /** The declaration, without the keyword `event`. */
  readonly declared: string;
  readonly name: string;
  /** Undefined in a bundled list. */
  readonly contract: string | undefined;
  /** The number of other contracts with this event. */
  readonly others: number;
  /** The path of the file in the workspace, or the name of a bundled list. */
  readonly from: string;
  /** Of the queried contract (`asked`), the project itself, its libraries, or a bundled list. */
  readonly rank: EventRank;
}

/** The most trusted comes first. */
const eventRanks = ['asked', 'own', 'library', 'bundled'] as const;
export type EventRank = (typeof eventRanks)[number];

/**
 * Collects every event of the contracts and the lists, each declaration once. Runs in time slices, since a
 * workspace may have 5,000 contracts.
 */
export async function collectEvents(
  contracts: readonly IndexedContract[],
  bundled: readonly LocatedItem[],
  slices: TimeSlices,
): Promise<readonly KnownEvent[]> {
  const found = new Map<string, Draft>();
  for (const [index, contract] of contracts.entries()) {
    for (const event of listContractEvents(contract, contract.isOwn ? 'own' : 'library'))
      addEvent(found, event);
    if (index % STRIDE === 0 && slices.isOver()) await slices.rest();
  }
  for (const { text, origin } of bundled) {
    const event = toKnownEvent(text, { contract: undefined, from: origin.from, rank: 'bundled' });
    if (event && !found.has(event.declared)) found.set(event.declared, event);
  }
  return [...found.values()];
}

export function listContractEvents(contract: IndexedContract, rank: EventRank): readonly KnownEvent[] {
  const from = contract.source ?? contract.artifact ?? '';
  return contract.abi.flatMap((text) => toKnownEvent(text, { contract: contract.name, from, rank }) ?? []);
}

interface Draft extends KnownEvent {
  others: number;
}

const EVENT_KEYWORD = 'event ';
/** Contracts between two checks of the clock. */
const STRIDE = 16;

function toKnownEvent(
  text: string,
  details: Pick<KnownEvent, 'contract' | 'from' | 'rank'>,
): KnownEvent | undefined {
  const event = toQueryableEvent(text);
  return (
    event && {
      name: event.name,
      declared: event.declaration.slice(EVENT_KEYWORD.length),
      others: 0,
      ...details,
    }
  );
}

function addEvent(found: Map<string, Draft>, event: KnownEvent): void {
  const existing = found.get(event.declared);
  if (!existing) found.set(event.declared, { ...event });
  else if (compareRanks(event.rank, existing.rank) < 0) {
    found.set(event.declared, { ...event, others: existing.others + 1 });
  } else existing.others++;
}

/** A negative result sorts `a` first. */
function compareRanks(a: EventRank, b: EventRank): number {
  return eventRanks.indexOf(a) - eventRanks.indexOf(b);
}

/** Looks up items in the current index of the workspace, then in the bundled lists. */
export function createKnownLookup(
  contracts: Pick<WorkspaceContracts, 'known'>,
  bundled: AbiLookup,
): AbiLookup {
  return mergeLookups(createWorkspaceLookup(contracts), bundled);
}

/** Looks up items in the current index of the workspace. */
export function createWorkspaceLookup(contracts: Pick<WorkspaceContracts, 'known'>): AbiLookup {
  return {
    events: (topic0, at) => contracts.known?.lookup.events(topic0, at) ?? [],
    errors: (selector, at) => contracts.known?.lookup.errors(selector, at) ?? [],
    functions: (selector, at) => contracts.known?.lookup.functions(selector, at) ?? [],
  };
}

export interface QueryableEvent {
  readonly name: string;
  /** The declaration with the keyword `event`, as a query takes it. */
  readonly declaration: string;
}

/** Converts an ABI item for a query; undefined for other items, and for anonymous events, which have no topic0. */
export function toQueryableEvent(declaration: AbiItemText): QueryableEvent | undefined {
  if (declaration.length > MAX_DECLARATION_CHARS || declaration.endsWith(' anonymous')) return undefined;
  const name = EVENT_DECLARATION.exec(declaration)?.[1];
  return name === undefined ? undefined : { name, declaration };
}

const EVENT_DECLARATION = /^event ([A-Za-z_$][\w$]*)\(/;
/** The longest declaration in a query. */
const MAX_DECLARATION_CHARS = 4096;

/** Compares deployments: the active chain first, then by chain ID; the newest of a chain first. */
export function createDeploymentComparator(
  activeChainId: number,
): (a: IndexedDeployment, b: IndexedDeployment) => number {
  const active = String(activeChainId);
  return (a, b) => {
    if (a.chainId !== b.chainId) {
      if (a.chainId === active || b.chainId === active) return a.chainId === active ? -1 : 1;
      return compareValues(BigInt(a.chainId), BigInt(b.chainId));
    }
    return compareNewestFirst(a, b) || compareValues(a.address, b.address);
  };
}
