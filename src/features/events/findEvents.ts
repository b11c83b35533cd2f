import { solidityTokens, type Token } from '../../core/contracts/sources/solidityTokens.ts';
import { type EventSignature, isAppError, parseEventSignature, type TimeSlices } from '../../core/index.ts';

/** An event that a Solidity source declares, and where. */
export interface DeclaredEvent extends EventSignature {
  readonly name: string;
  /** Index of the word `event` in the source. */
  readonly offset: number;
}

/** Sources are short; one longer than this was made by a program, and none of it is searched. */
export const LONGEST_SOURCE = 1_000_000;
const MOST_EVENTS = 2_000;
const MOST_SLICES = 250;
const LONGEST_DECLARATION = 4_096;
/** Tokens between two looks at the clock. */
const STRIDE = 256;

/**
 * The events that a Solidity source declares and whose logs can be asked for by topic0: not the anonymous ones, and
 * none with a parameter of a type that has another name in the ABI (a contract, an enum, a struct). In slices, so
 * that all else goes on; of a source that takes too long, the events up to there. Rejects when `signal` aborts.
 */
export async function findEvents(
  source: string,
  slices: TimeSlices,
  { signal }: { readonly signal?: AbortSignal } = {},
): Promise<readonly DeclaredEvent[]> {
  const events: DeclaredEvent[] = [];
  if (source.length > LONGEST_SOURCE) return events;
  let begun: PartialDeclaration | undefined;
  let untilLook = STRIDE;
  let rests = 0;
  for (const token of solidityTokens(source)) {
    const ended = token.text === ';' ? begun : undefined;
    const event = ended && readEvent(ended);
    if (event) events.push(event);
    begun = extend(begun, token);
    untilLook = ended ? 0 : untilLook - 1;
    if (untilLook > 0) continue;
    if (events.length === MOST_EVENTS || rests === MOST_SLICES) return events;
    untilLook = STRIDE;
    if (!slices.isOver()) continue;
    rests++;
    await slices.rest({ signal });
  }
  return events;
}

/** The tokens of a declaration so far, from the word `event` on. */
interface PartialDeclaration {
  readonly offset: number;
  readonly words: string[];
  length: number;
}

/** The declaration with one token more, a new one at the word `event`; undefined where none can be going on. */
function extend(
  begun: PartialDeclaration | undefined,
  { kind, text, offset }: Token,
): PartialDeclaration | undefined {
  if (text === 'event') return { offset, words: [], length: 0 };
  if (!begun || kind === 'string' || text === '{' || text === '}' || text === ';') return undefined;
  begun.words.push(text);
  begun.length += text.length + 1;
  return begun.length > LONGEST_DECLARATION ? undefined : begun;
}

function readEvent({ words, offset }: PartialDeclaration): DeclaredEvent | undefined {
  const [name = '', opening] = words;
  if (opening !== '(') return undefined;
  try {
    return { ...parseEventSignature(words.join(' ')), name, offset };
  } catch (error) {
    if (isAppError(error, 'badInput')) return undefined;
    throw error;
  }
}
