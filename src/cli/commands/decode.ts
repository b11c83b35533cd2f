import { addAbortSignal } from 'node:stream';
import {
  type AbiLookup,
  badInput,
  type ChainAddress,
  explainHex,
  formatNoMeaning,
  type Hex,
  type HexMeaning,
  MAX_HEX_DIGITS,
  meaningToJson,
  parseHexData,
} from '../../core/index.ts';
import { printLines, printMessage } from '../output.ts';

/**
 * Prints what hex may stand for, one meaning a line, then how many there are.
 *
 * @param given the hex, or `-` for what is on standard input.
 * @throws AppError `badInput` where that is no hex.
 */
export async function printHexMeanings(
  given: string | undefined,
  options: {
    readonly lookup: AbiLookup;
    readonly at: ChainAddress | undefined;
    /** Done with the hex before it is explained. */
    readonly prepare?: (hex: Hex) => Promise<void>;
    readonly signal: AbortSignal;
  },
): Promise<void> {
  const text = given === '-' ? await readInput(options) : given;
  const hex = parseHexData(text);
  if (hex === undefined) {
    throw badInput('hex', 'Give the hex to decode with 0x in front and an even number of digits.');
  }
  if (hex.length > 2 + MAX_HEX_DIGITS) throw badInput('hex', formatNoMeaning(hex));
  await options.prepare?.(hex);
  const meanings = explainHex(hex, options);
  if (meanings.length === 0) printMessage(formatNoMeaning(hex));
  await printLines(meaningLines(meanings));
}

/** No more of it than shows that it is too long. */
async function readInput({ signal }: { readonly signal: AbortSignal }): Promise<string> {
  let text = '';
  for await (const piece of addAbortSignal(signal, process.stdin.setEncoding('utf8'))) {
    text += piece;
    if (text.length > 2 * MAX_HEX_DIGITS) break;
  }
  return text.trim();
}

function* meaningLines(meanings: readonly HexMeaning[]): Generator<unknown> {
  for (const meaning of meanings) yield { meaning: meaningToJson(meaning) };
  yield { decode: { meanings: meanings.length } };
}
