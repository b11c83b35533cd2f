import type { Hex } from '../../values/hex.ts';
import type { AbiValue } from '../abiType.ts';
import type { Origin, Trust } from '../candidates.ts';
import type { RunningCode } from '../codeVersions.ts';
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
  /** A file of the workspace, the name of a bundled list, or who was asked and about which address. */
  readonly from: string;
  /** The contract that was verified in the place of this one. */
  readonly twin?: string;
  /** Only there where the code at the address is no longer the one that was verified. */
  readonly changedBytecode?: true;
}

interface ImplementationJson {
  readonly address: Hex;
  readonly contract: string | null;
  /** The place of the upgrade. */
  readonly since: { readonly block: string; readonly logIndex: number };
}

/** A decoded log as JSON. */
export type DecodedJson =
  | (SourceJson & {
      readonly name: string;
      readonly args: readonly ArgumentJson[];
      /** What else fits the log as well; only there where something does. */
      readonly others?: readonly SourceJson[];
      /** The version of an upgraded contract that emitted it; only there where that is known. */
      readonly implementation?: ImplementationJson;
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
  const { event, values, origin, others, code } = decoded;
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
    ...{ event: event.signature, name: event.name, args },
    ...sourceOf(origin),
    ...(code && { implementation: implementationOf(code, origin.contract) }),
    ...(others.length > 0 && {
      others: others.map(({ item, origin: other }) => ({ event: item.signature, ...sourceOf(other) })),
    }),
  };
}

function sourceOf({ trust, from, verified }: Origin): Omit<SourceJson, 'event'> {
  const { twin, changedBytecode } = verified ?? {};
  return {
    ...{ source: trust, from },
    ...(twin !== undefined && { twin }),
    ...(changedBytecode && { changedBytecode }),
  };
}

function implementationOf({ address, since }: RunningCode, contract: string | undefined): ImplementationJson {
  const place = { block: since.block.toString(), logIndex: since.log };
  return { address, contract: contract ?? null, since: place };
}
