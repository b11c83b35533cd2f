import { badInput } from '../base/errors.ts';
import { type Hex, parseHexData } from '../values/hex.ts';
import { readEventDeclaration } from './eventDeclaration.ts';
import { signatureHash } from './signatureHash.ts';

/** A Solidity event as a filter needs it. */
export interface EventSignature {
  /** Canonical form, `Transfer(address,address,uint256)`. */
  readonly signature: string;
  /** Keccak-256 of the canonical form: topic 0 of its logs. */
  readonly topic0: Hex;
}

/**
 * Reads an event as it is written in Solidity or in short: `Transfer(address,address,uint256)`,
 * `event Transfer(address indexed from, address indexed to, uint value);`. Aliases (`uint`) become canonical.
 *
 * @throws AppError `badInput` for `field` when it is no event or over 4096 characters, uses a type that the ABI does
 *   not know (a contract, enum or struct name), or is anonymous (such an event has no topic0).
 * @example parseEventSignature('event Paid(address indexed by, uint amount);').signature // 'Paid(address,uint256)'
 */
export function parseEventSignature(text: string, field = 'event'): EventSignature {
  const declaration = readEventDeclaration(text);
  if (declaration === 'anonymous') {
    throw badInput(field, 'An anonymous event has no topic0. Filter by address and topics instead.', {
      code: 'anonymousEvent',
    });
  }
  if (declaration === 'malformed') {
    throw badInput(field, 'Not an event signature: write it like Transfer(address,address,uint256).', {
      code: 'notEvent',
    });
  }
  const { written, signature } = declaration;
  if (signature === undefined) throw unknownType(field, written);
  return { signature, topic0: signatureHash(signature) };
}

function unknownType(field: string, written: string) {
  const shown = written.length > 80 ? `${written.slice(0, 80)}…` : written;
  return badInput(
    field,
    `${shown} has a type that the ABI does not know. Write address for a contract, uint8 for an enum, (…) for a struct.`,
    { code: 'unknownType', values: [shown] },
  );
}

/**
 * What a person types for topic0: 32 bytes of hex as they are, anything else as an event signature.
 *
 * @throws AppError `badInput` for `field`.
 * @example
 * parseEventOrTopic0('Transfer(address,address,uint256)')
 * // '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef'
 */
export function parseEventOrTopic0(text: string, field = 'event'): Hex {
  const typed = text.trim();
  if (!/^0x/i.test(typed)) return parseEventSignature(typed, field).topic0;
  return requireTopic(typed, field);
}

/**
 * A 32-byte topic in lower case.
 *
 * @throws AppError `badInput` for `field`.
 * @example
 * requireTopic('0xABABABABABABABABABABABABABABABABABABABABABABABABABABABABABABABAB')
 * // '0xabababababababababababababababababababababababababababababababab'
 */
export function requireTopic(text: string, field = 'topics'): Hex {
  const topic = parseHexData(text.trim(), 32);
  if (!topic)
    throw badInput(field, 'Not a topic: expected 0x and 64 hex digits (32 bytes).', { code: 'notTopic' });
  return topic;
}
