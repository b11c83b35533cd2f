import * as z from 'zod/mini';
import type { AbiError } from '../../abi/abiItem.ts';
import type { AbiParameter, AbiType, AbiValue } from '../../abi/abiType.ts';
import { encodeParameters } from '../../abi/encode/encodeParameters.ts';
import { parseAbiItem } from '../../abi/read/parseAbiItem.ts';
import { isAppError } from '../../base/errors.ts';
import { serverWords } from '../../http/serverWords.ts';
import type { FailureReason } from '../../transactions/transaction.ts';
import { parseAddress } from '../../values/address.ts';
import { type Hex, parseHexData } from '../../values/hex.ts';
import { listField, optionalField } from '../../values/outsideFields.ts';

const Raw = z.object({ raw: z.string() });
const Decoded = z.object({
  method_id: z.string().check(z.regex(/^(?:0x)?[0-9a-fA-F]{8}$/)),
  method_call: z.string(),
  parameters: optionalField(listField),
});
type Decoded = z.infer<typeof Decoded>;
const Parameter = z.object({ value: z.unknown() });
/** Of an error; and of what a list among its arguments has. */
const MOST_VALUES = 1_000;

/**
 * `revert_reason` of a transaction: what was returned as hex, alone or as `raw`; or decoded, by the ABI of a verified contract or as one
 * of Solidity's own errors, out of which the bytes are made again.
 *
 * @param result the status of the execution in the explorer's words.
 * @example readRevertReason({ raw: '0x4e487b71' }, 'Reverted').state // 'told'
 */
export function readRevertReason(reason: unknown, result: string | undefined): FailureReason {
  const told = { state: 'told', by: 'explorer', isCut: false } as const;
  const words = result === undefined ? undefined : serverWords(result);
  const raw = typeof reason === 'string' ? reason : Raw.safeParse(reason).data?.raw;
  if (raw !== undefined) {
    const data = parseHexData(raw.startsWith('0x') ? raw : `0x${raw}`);
    return data === undefined ? { ...told, data, words: serverWords(raw) } : { ...told, data, words };
  }
  const decoded = Decoded.safeParse(reason).data;
  if (!decoded) return { ...told, data: undefined, words };
  const selector = parseHexData(`0x${decoded.method_id.replace(/^0x/, '')}`, 4) as Hex;
  const args = argumentsOf(decoded, selector);
  if (args !== undefined) return { ...told, data: `${selector}${args.slice(2)}`, words };
  return { ...told, data: selector, isCut: true, words: serverWords(decoded.method_call) };
}

/** The encoded arguments; undefined where they are not those of an error with this selector. */
function argumentsOf({ method_call: call, parameters = [] }: Decoded, selector: Hex): Hex | undefined {
  const error = parseAbiItem(`error ${call}`) as AbiError | undefined;
  if (error?.selector !== selector || error.inputs.length !== parameters.length) return undefined;
  const values = parameters.map((parameter, place) =>
    argumentOf((error.inputs[place] as AbiParameter).type, Parameter.safeParse(parameter).data?.value),
  );
  if (values.includes(undefined)) return undefined;
  try {
    return encodeParameters(error.inputs, values as readonly AbiValue[]);
  } catch (cause) {
    if (isAppError(cause, 'badInput')) return undefined;
    throw cause;
  }
}

/** Integers come as decimal text, lists and tuples as lists. */
function argumentOf(type: AbiType, json: unknown): AbiValue | undefined {
  switch (type.kind) {
    case 'uint':
    case 'int':
      return typeof json === 'string' && /^-?\d{1,78}$/.test(json) ? BigInt(json) : undefined;
    case 'bool':
      return json === true || json === 'true' ? true : json === false || json === 'false' ? false : undefined;
    case 'address':
      return parseAddress(json);
    case 'string':
      return typeof json === 'string' ? json : undefined;
    case 'bytes':
      return parseHexData(json);
    case 'fixedBytes':
      return parseHexData(json, type.size);
    default: {
      if (!Array.isArray(json) || json.length > MOST_VALUES) return undefined;
      const types =
        type.kind === 'tuple' ? type.members.map((member) => member.type) : json.map(() => type.item);
      const values = json.map((value, place) => argumentOf(types[place] ?? type, value));
      return values.includes(undefined) || values.length !== types.length
        ? undefined
        : (values as readonly AbiValue[]);
    }
  }
}
