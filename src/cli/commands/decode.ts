import {
  type AbiLookup,
  attributionToJson,
  badInput,
  type ChainAddress,
  describeNoMeaning,
  explainHex,
  formatMessage,
  type Hex,
  type HexMeaning,
  MAX_HEX_DIGITS,
  meaningToJson,
  parseAttribution,
  parseHexData,
} from '../../core/index.ts';
import type { CliContext } from '../context.ts';
import { readStandardInput } from '../standardInput.ts';

/**
 * Prints what hex may mean, one meaning a line, then the number of meanings.
 *
 * @param input the hex, or `-` for standard input.
 * @throws AppError `badInput` if it is not hex.
 */
export async function printHexMeanings(
  input: string | undefined,
  options: {
    readonly lookup: AbiLookup;
    readonly at: ChainAddress | undefined;
    /** Fetches what is needed to explain the hex. */
    readonly prepare?: (hex: Hex) => Promise<void>;
  },
  { stdin, output, signal }: CliContext,
): Promise<void> {
  const maxChars = 2 * MAX_HEX_DIGITS;
  const text = input === '-' ? (await readStandardInput({ stdin, signal, maxChars })).trim() : input;
  const hex = parseHexData(text);
  if (hex === undefined) {
    throw badInput('hex', 'This is not hex data. Enter 0x and an even number of hex digits.');
  }
  if (hex.length > 2 + MAX_HEX_DIGITS) throw badInput('hex', describeNoMeaning(hex));
  await options.prepare?.(hex);
  const meanings = explainHex(hex, options);
  if (meanings.length === 0) output.printMessage(formatMessage(describeNoMeaning(hex)));
  await output.printLines(listJsonLines(meanings, hex));
}

function* listJsonLines(meanings: readonly HexMeaning[], hex: Hex): Generator<unknown> {
  for (const meaning of meanings) yield { meaning: meaningToJson(meaning) };
  const attribution = meanings.length === 0 ? parseAttribution(hex) : undefined;
  yield {
    decode: { meanings: meanings.length, ...(attribution && { erc8021: attributionToJson(attribution) }) },
  };
}
