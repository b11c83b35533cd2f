import {
  type AbiLookup,
  badInput,
  explainHex,
  type HexMeaning,
  meaningToJson,
  noMeaningText,
  type OnChain,
  parseHexData,
} from '../core/index.ts';
import { printLines, say } from './output.ts';

/** Prints what hex may stand for, one meaning a line, then how many there are. @throws AppError `badInput`. */
export async function decodeHex(
  text: string | undefined,
  { lookup, at }: { readonly lookup: AbiLookup; readonly at: OnChain | undefined },
): Promise<void> {
  const hex = parseHexData(text);
  if (hex === undefined) {
    throw badInput('hex', 'Give the hex to decode, with 0x in front and an even number of digits.');
  }
  const meanings = explainHex(hex, { lookup, at });
  if (meanings.length === 0) say(noMeaningText(hex));
  await printLines(lines(meanings));
}

function* lines(meanings: readonly HexMeaning[]): Generator<unknown> {
  for (const meaning of meanings) yield { meaning: meaningToJson(meaning) };
  yield { decode: { meanings: meanings.length } };
}
