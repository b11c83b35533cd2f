import { type EventSignature, parseEventSignature, type SourceContract } from '../../../core/index.ts';
import { type DeclaredItem, declaredItems, type SourceReader } from '../../../host/sources/declarations.ts';

/** An event that a source declares, and where. */
export interface DeclaredEvent {
  readonly name: string;
  /** With its types as the ABI has them: `event Paid(address indexed by, (address token, uint256 amount) price)`. */
  readonly declaration: string;
  /** Undefined outside of all contracts. */
  readonly contract: SourceContract | undefined;
  /** Index of its declaration in the source. */
  readonly offset: number;
  /** Its signature and topic0, which take a while to compute. */
  readonly hash: () => EventSignature;
}

/** Characters of a declaration that a query takes. */
const LONGEST_DECLARATION = 4_096;

/**
 * The events that a source declares and whose logs can be asked for by topic0, in their order: not the anonymous ones,
 * and none with a type that is not found. In slices, so that all else goes on. Rejects when `signal` aborts.
 */
export async function findEvents(path: string, reader: SourceReader): Promise<readonly DeclaredEvent[]> {
  const { slices, signal } = reader;
  const events: DeclaredEvent[] = [];
  for (const declared of await declaredItems(path, 'event', reader)) {
    const event = readEvent(declared);
    if (event) events.push(event);
    if (slices.isOver()) await slices.rest({ signal });
  }
  return events;
}

function readEvent({ item, contract, text }: DeclaredItem): DeclaredEvent | undefined {
  if (text === undefined || item.anonymous || text.length > LONGEST_DECLARATION) return undefined;
  const { name, offset } = item;
  return { name, declaration: text, contract, offset, hash: () => parseEventSignature(text) };
}
