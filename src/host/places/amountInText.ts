import { parseWholeNumber } from './numberInText.ts';

export interface FoundAmount {
  readonly wei: bigint;
  /** Index of its first character; `length` is its number of characters in the text, with its unit. */
  readonly offset: number;
  readonly length: number;
}

/** As code writes integers, with a unit of Solidity: `1_000`, `1000n`, `1.5e18`, `0x3e8`, `1.5 gwei`. */
const NUMBER =
  /(?<![\w$.])((?:0[xX][0-9a-fA-F]{1,23}|\d[\d_]{0,99}(?:\.\d{1,30})?(?:[eE](\d{1,2}))?)n?)(?![\w$]|\.\d)(?:\s{1,3}(wei|gwei|szabo|finney|ether|seconds|minutes|hours|days|weeks|years)\b)?/g;
/** `10 ** 18`, `5 * 10n ** 17n`; without a factor that belongs to the term before it. */
const POWER =
  /(?<![\w$.])(?:(?<![*/%]\s{0,3})(\d[\d_]{0,99}(?:\.\d{1,30})?)n?\s{0,3}\*\s{0,3})?10n?\s{0,3}\*\*\s{0,3}(\d{1,2})n?(?![\w$.]|\s{0,3}\*\*)/g;
/** The name as the end of the text before a number: `gasPrice: `, `fee: bigint = `, `"value": "`, `parseUnits("`. */
const NAME =
  /(?<![\w$])([A-Za-z_$][\w$]{0,60})["'`]?(?:\s{0,3}:\s{0,3}[\w()]{1,30})?\s{0,3}[:=(<>!]{1,3}\s{0,3}["'`]?$/;
/** Of numbers that are no amounts of wei: identifiers, times, amounts in other units. Words are joined by `_`. */
const OTHER_NAME =
  /^(?:parse_(?:ether|gwei|units)|to_wei|as_wei_value)$|gwei|(?:^|_)(?:ids?|chainid|time|timestamp|deadline|expiry|nonce|salt|seed|slot|key|hash)$/;
const WEI_NAME = /(?:^|_)(?:fees?|tip|wei|gas_?price|basefee)(?:_|$)/;
const UNIT_DECIMALS: Readonly<Record<string, number>> = { wei: 0, gwei: 9, szabo: 12, finney: 15 };

const MAX_NEARBY_CHARS = 120;
const MIN_WEI = 10n ** 9n;
/** Smaller numbers are block numbers, times or amounts of other tokens, if the text does not say that they are wei. */
const MIN_PLAIN_WEI = 10n ** 15n;
/** More than there is; 10 ** 27 is the scale of a ray. */
const MAX_WEI = 10n ** 27n;
/** An exponent below that of gwei is for tokens of 6 or 8 decimals. */
const MIN_EXPONENT = 9;

/** The number that contains or touches `offset` of a line of code, if it is plausible as an amount of wei. */
export function findAmountAt(line: string, offset: number): FoundAmount | undefined {
  const start = Math.max(0, offset - MAX_NEARBY_CHARS);
  const nearby = line.slice(start, offset + MAX_NEARBY_CHARS);
  const power = findMatchAt(nearby, POWER, offset - start);
  const match = power ?? findMatchAt(nearby, NUMBER, offset - start);
  if (!match) return undefined;
  const name = formatName(NAME.exec(nearby.slice(0, match.index))?.[1] ?? '');
  const wei = power ? parsePower(power) : parseNumber(match, name);
  if (wei === undefined || wei < MIN_WEI || wei >= MAX_WEI || OTHER_NAME.test(name)) return undefined;
  return { wei, offset: start + match.index, length: match[0].length };
}

function findMatchAt(text: string, pattern: RegExp, offset: number): RegExpExecArray | undefined {
  return [...text.matchAll(pattern)].find(
    ({ 0: { length }, index }) => index <= offset && offset <= index + length,
  );
}

/** `maxFeePerGas` as `max_fee_per_gas`. */
function formatName(name: string): string {
  return name.replaceAll(/([a-z\d])([A-Z])/g, '$1_$2').toLowerCase();
}

function parsePower([, factor = '1', exponent = '']: RegExpExecArray): bigint | undefined {
  return Number(exponent) < MIN_EXPONENT ? undefined : parseWholeNumber(factor, Number(exponent));
}

function parseNumber([, text = '', exponent, unit]: RegExpExecArray, name: string): bigint | undefined {
  if (unit !== undefined) {
    const decimals = UNIT_DECIMALS[unit];
    return decimals === undefined ? undefined : parseWholeNumber(text, decimals);
  }
  const wei = parseWholeNumber(text);
  if (wei === undefined) return undefined;
  if (exponent !== undefined) return Number(exponent) < MIN_EXPONENT ? undefined : wei;
  // Other hex of this length is a constant or bytes.
  if (/^0x/i.test(text) && wei % MIN_WEI !== 0n) return undefined;
  return wei >= MIN_PLAIN_WEI || WEI_NAME.test(name) ? wei : undefined;
}
