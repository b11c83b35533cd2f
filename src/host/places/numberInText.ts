export interface FoundNumber {
  readonly value: bigint;
  /** Index of its first character; `length` is its number of characters in the text. */
  readonly offset: number;
  readonly length: number;
  /** Whether the text before it says that it is a block number. */
  readonly isBlock: boolean;
}

/** As code and documents write whole numbers: `1_000`, `1,000`, `1000n`, `5e17`, `1.5e18`, `0x3e8`. */
const NUMBER =
  /(?<![\w$.])(?:0[xX][0-9a-fA-F]{1,14}|\d{1,3}(?:,\d{3}){1,25}|\d[\d_]{0,99}(?:\.\d{1,30})?(?:[eE]\d{1,2})?n?)(?![\w$]|[.,]\d)/g;
/** As the end of the text before a number: `block `, `fromBlock: "`, `--fork-block-number `, `"blockNumber":`, `vm.roll(`. */
const BLOCK =
  /(?:(?:(?<![A-Za-z])[Bb]lock|[a-z]Block|(?<![A-Z])BLOCK)(?:[ ._-]?(?:[Nn]umber|NUMBER|[Hh]eight|HEIGHT))?["'`]?|\bvm\.roll(?:Fork)?)\s{0,4}[:=(#<>!]{0,3}\s{0,4}["'`]?$/;
const MAX_NEARBY_CHARS = 120;

/** The whole number that contains or touches `offset` of `line`. */
export function findNumberAt(line: string, offset: number): FoundNumber | undefined {
  const start = Math.max(0, offset - MAX_NEARBY_CHARS);
  for (const { 0: text, index } of line.slice(start, offset + MAX_NEARBY_CHARS).matchAll(NUMBER)) {
    const at = start + index;
    if (at > offset) return undefined;
    if (offset > at + text.length) continue;
    const value = parseWholeNumber(text);
    const before = line.slice(Math.max(0, at - MAX_NEARBY_CHARS), at);
    return value === undefined
      ? undefined
      : { value, offset: at, length: text.length, isBlock: BLOCK.test(before) };
  }
  return undefined;
}

/**
 * A written number times 10 ** `decimals`; undefined if that is not whole.
 *
 * @example parseWholeNumber('1.5', 9) // 1_500_000_000n
 */
export function parseWholeNumber(text: string, decimals = 0): bigint | undefined {
  if (/^0x/i.test(text)) return BigInt(text.replace('n', '')) * 10n ** BigInt(decimals);
  const [mantissa = '', exponent = '0'] = text.replaceAll(/[_,n]/g, '').toLowerCase().split('e');
  const [whole = '', fraction = ''] = mantissa.split('.');
  const zeros = Number(exponent) + decimals - fraction.length;
  return zeros < 0 ? undefined : BigInt(`${whole}${fraction}`) * 10n ** BigInt(zeros);
}
