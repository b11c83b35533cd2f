import {
  type AbiItemText,
  type AbiLookup,
  compareValues,
  type IndexedContract,
  type IndexedDeployment,
  type LocatedItem,
  mergeLookups,
  type TimeSlices,
} from '../../core/index.ts';
import type { WorkspaceContracts } from './workspaceContracts.ts';

/** Orders deployments: those of the active chain first, then by chain; the newest of a chain first. */
export function createDeploymentComparator(
  activeChainId: number,
): (a: IndexedDeployment, b: IndexedDeployment) => number {
  const active = String(activeChainId);
  return (a, b) => {
    if (a.chainId !== b.chainId) {
      if (a.chainId === active || b.chainId === active) return a.chainId === active ? -1 : 1;
      return compareValues(BigInt(a.chainId), BigInt(b.chainId));
    }
    return -compareValues(a.block ?? -1n, b.block ?? -1n) || compareValues(a.address, b.address);
  };
}

/** An event that can be chosen, with the contract or list that is known best to have it. */
export interface KnownEvent {
  /** As it is declared, without the word `event`. */
  readonly declared: string;
  readonly name: string;
  /** The contract; undefined in a bundled list. */
  readonly contract: string | undefined;
  /** How many other contracts have it. */
  readonly others: number;
  /** The file as a path from the root of the workspace, or the name of a bundled list. */
  readonly from: string;
  /** Of the contract that is asked for, of the project itself, of its libraries, of a bundled list. */
  readonly rank: EventRank;
}

/** The first is trusted most. */
const eventRanks = ['asked', 'own', 'library', 'bundled'] as const;
export type EventRank = (typeof eventRanks)[number];

interface Draft extends KnownEvent {
  others: number;
}

const EVENT_KEYWORD = 'event ';
/** Contracts between two looks at the clock. */
const STRIDE = 16;

/** Every event of the contracts and of the lists, each declaration once. In slices, as a workspace may have 5,000 contracts. */
export async function collectEvents(
  contracts: readonly IndexedContract[],
  bundled: readonly LocatedItem[],
  slices: TimeSlices,
): Promise<readonly KnownEvent[]> {
  const found = new Map<string, Draft>();
  for (const [index, contract] of contracts.entries()) {
    for (const event of listContractEvents(contract, contract.isOwn ? 'own' : 'library')) put(found, event);
    if (index % STRIDE === 0 && slices.isOver()) await slices.rest();
  }
  for (const { text, origin } of bundled) {
    const event = eventOf(text, { contract: undefined, from: origin.from, rank: 'bundled' });
    if (event && !found.has(event.declared)) found.set(event.declared, event);
  }
  return [...found.values()];
}

/** The events of one contract. */
export function listContractEvents(contract: IndexedContract, standing: EventRank): readonly KnownEvent[] {
  const from = contract.source ?? contract.artifact ?? '';
  return contract.abi.flatMap(
    (text) => eventOf(text, { contract: contract.name, from, rank: standing }) ?? [],
  );
}

/** Less: to be offered before the other. */
function compareStandings(a: EventRank, b: EventRank): number {
  return eventRanks.indexOf(a) - eventRanks.indexOf(b);
}

function eventOf(
  text: string,
  where: Pick<KnownEvent, 'contract' | 'from' | 'rank'>,
): KnownEvent | undefined {
  const event = toQueryableEvent(text);
  return (
    event && {
      name: event.name,
      declared: event.declaration.slice(EVENT_KEYWORD.length),
      others: 0,
      ...where,
    }
  );
}

function put(found: Map<string, Draft>, event: KnownEvent): void {
  const known = found.get(event.declared);
  if (!known) found.set(event.declared, { ...event });
  else if (compareStandings(event.rank, known.rank) < 0) {
    found.set(event.declared, { ...event, others: known.others + 1 });
  } else known.others++;
}

/** What the workspace knows as it is by now, and the bundled lists. */
export function createKnownLookup(
  contracts: Pick<WorkspaceContracts, 'known'>,
  bundled: AbiLookup,
): AbiLookup {
  return mergeLookups(createWorkspaceLookup(contracts), bundled);
}

/** What the workspace knows as it is by now. */
export function createWorkspaceLookup(contracts: Pick<WorkspaceContracts, 'known'>): AbiLookup {
  return {
    events: (topic0, at) => contracts.known?.lookup.events(topic0, at) ?? [],
    errors: (selector, at) => contracts.known?.lookup.errors(selector, at) ?? [],
    functions: (selector, at) => contracts.known?.lookup.functions(selector, at) ?? [],
  };
}

/** An event that logs can be asked for by. */
export interface QueryableEvent {
  readonly name: string;
  /** As it is declared, with the word `event`: as a query takes it. */
  readonly declaration: string;
}

const EVENT_DECLARATION = /^event ([A-Za-z_$][\w$]*)\(/;
/** Characters of a declaration that a query can be asked with. */
const MAX_DECLARATION_CHARS = 4096;

/** What an item of an ABI is for a query; undefined for what is no event, and for an anonymous one: it has no topic0. */
export function toQueryableEvent(declaration: AbiItemText): QueryableEvent | undefined {
  if (declaration.length > MAX_DECLARATION_CHARS || declaration.endsWith(' anonymous')) return undefined;
  const name = EVENT_DECLARATION.exec(declaration)?.[1];
  return name === undefined ? undefined : { name, declaration };
}
