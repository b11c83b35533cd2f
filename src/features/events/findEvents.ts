import { type EventSignature, isAppError, parseEventSignature } from '../../core/index.ts';
import { type DeclaredItem, declaredItems, type SourceReader } from './declarations.ts';

/** An event that a source declares, and where. */
export interface DeclaredEvent extends EventSignature {
  readonly name: string;
  /** With its types as the ABI has them: `event Paid(address indexed by, (address token, uint256 amount) price)`. */
  readonly declaration: string;
  /** Index of its declaration in the source. */
  readonly offset: number;
}

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

function readEvent({ item, text }: DeclaredItem): DeclaredEvent | undefined {
  if (text === undefined || item.anonymous) return undefined;
  try {
    return { ...parseEventSignature(text), name: item.name, declaration: text, offset: item.offset };
  } catch (error) {
    if (isAppError(error, 'badInput')) return undefined;
    throw error;
  }
}
