import type { AbiValue } from '../abiType.ts';
import type { Trust } from '../candidates.ts';
import { isHashed } from '../decode/isHashed.ts';
import type { DecodedLog } from '../decode/logDecoder.ts';
import { rawReasonText } from '../decode/rawReason.ts';
import { type AbiJson, abiValueToJson } from './valueJson.ts';

interface ArgumentJson {
  readonly name: string;
  readonly type: string;
  readonly indexed: boolean;
  readonly value: AbiJson;
  /** Only there where the value is a hash of the argument. */
  readonly hashed?: true;
}

interface SourceJson {
  /** The event's canonical form. */
  readonly event: string;
  readonly source: Trust;
  /** A file of the workspace, or the name of a bundled list. */
  readonly from: string;
}

/** A decoded log as JSON. */
export type DecodedJson =
  | (SourceJson & {
      readonly name: string;
      readonly args: readonly ArgumentJson[];
      /** What else fits the log as well; only there where something does. */
      readonly others?: readonly SourceJson[];
    })
  | { readonly reason: string };

/**
 * A decoded log as JSON, or why it stays raw.
 *
 * @example
 * decodedLogToJson({ reason: { code: 'unknownEvent', topic0: '0x12' } })
 * // { reason: 'No event with the topic0 0x12 is known.' }
 */
export function decodedLogToJson(decoded: DecodedLog): DecodedJson {
  if ('reason' in decoded) return { reason: rawReasonText(decoded.reason) };
  const { event, values, origin, others } = decoded;
  const args = event.inputs.map((input, index): ArgumentJson => {
    const { name, type, indexed } = input;
    const value = values[index] as AbiValue;
    const hashed = isHashed(input);
    return {
      ...{ name, type: type.text, indexed },
      value: hashed ? (value as string) : abiValueToJson(type, value),
      ...(hashed && { hashed }),
    };
  });
  return {
    ...{ event: event.signature, name: event.name, args, source: origin.trust, from: origin.from },
    ...(others.length > 0 && {
      others: others.map(({ item, origin: { trust, from } }) => ({
        ...{ event: item.signature, source: trust, from },
      })),
    }),
  };
}
