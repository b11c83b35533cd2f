import type { AbiLookup } from '../abi/candidates.ts';
import { parseAbiItem } from '../abi/item.ts';
import { createLogDecoder, type LogDecoder } from '../abi/logDecoder.ts';
import { parseDeclaredEvent } from '../logs/query/eventArguments.ts';
import { listIndexedVariants } from '../verified/signatureCache.ts';

/**
 * Decodes the rows of an event by the declaration that a query has, since no file or provider may know the event. Other
 * rows, and rows that fit it in several ways or not at all, are decoded by `known`.
 *
 * @param event a declaration, with `indexed` or without; other texts declare nothing.
 * @example createDeclaredDecoder('Ping(uint256 value)', knowledge).decode(log);
 */
export function createDeclaredDecoder(event: string, known: LogDecoder): LogDecoder {
  const text = event
    .trim()
    .replace(/^event\s+/, '')
    .replace(/;$/, '')
    .trimEnd();
  if (!text.includes('(')) return known;
  const decoders = new Map<number, LogDecoder>();

  function getDecoder(topics: number): LogDecoder {
    const decoder =
      decoders.get(topics) ?? createLogDecoder({ lookup: declareEvent(text, topics), chainId: 0 });
    decoders.set(topics, decoder);
    return decoder;
  }

  return {
    decode(log) {
      const declared = getDecoder(log.topics.length).decode(log);
      if ('event' in declared && declared.others.length === 0) return declared;
      const other = known.decode(log);
      const isUnknown = 'reason' in other && other.reason.code === 'unknownEvent';
      return isUnknown && 'reason' in declared ? declared : other;
    },
  };
}

/**
 * Decodes the rows of an event for groups: by the declaration that a query has, if it names parameters. Without names,
 * what is known may have them.
 *
 * @example const { decode } = createGroupDecoder('Ping(uint256)', knowledge);
 */
export function createGroupDecoder(event: string, known: LogDecoder): LogDecoder {
  const typed = event.trim();
  const item = parseAbiItem(/^event\s/.test(typed) ? typed : `event ${typed}`);
  const hasNames = item?.inputs.some(({ name }) => name !== '') === true;
  return hasNames ? createDeclaredDecoder(event, known) : known;
}

function declareEvent(text: string, topics: number): AbiLookup {
  const declared = parseDeclaredEvent(text);
  const events = declared ? [declared] : listIndexedVariants(text, topics);
  return {
    events: (topic0) =>
      events.filter((item) => item.topic0 === topic0).map((item) => ({ item, origin: DECLARATION })),
    errors: () => [],
    functions: () => [],
  };
}

const DECLARATION = {
  trust: 'signatures',
  from: 'declaration in the query',
  contract: undefined,
  line: undefined,
} as const;
