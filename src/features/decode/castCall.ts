import {
  encodeParameters,
  isAppError,
  parseAbiItem,
  parseAddress,
  parseArguments,
  parseHexData,
  type RepeatedCall,
  ZERO_ADDRESS,
} from '../../core/index.ts';

/** `cast` prints no calldata with an error, but its command line stands above it. */
const COMMAND = /\bcast (?:send|call|estimate)\s([^\n|;&]{1,20000})/;
const WORD = /"([^"]*)"|'([^']*)'|[^\s"']+/g;
const MAX_TOKENS = 200;

/**
 * The call of a command line of Foundry's `cast`: `cast send 0x… "pay(uint256)" 5 --value 1ether`. Undefined if it has
 * none, or arguments that do not fit.
 */
export function findCastCall(text: string): RepeatedCall | undefined {
  const [, line] = COMMAND.exec(text.replaceAll('\\\n', ' ')) ?? [];
  const parts = [...(line ?? '').matchAll(WORD)]
    .slice(0, MAX_TOKENS)
    .map(([word, double, single]) => double ?? single ?? word);
  const target = parts.findIndex((word, index) => parseAddress(word) && !isOption(parts[index - 1]));
  const to = parseAddress(parts[target]);
  if (!to) return undefined;
  const rest = parts.slice(target + 1);
  const end = rest.findIndex(isOption);
  const [called = '', ...values] = end < 0 ? rest : rest.slice(0, end);
  const optionOf = (name: string) => parts[parts.indexOf(name) + 1 || parts.length];
  try {
    const input = called.startsWith('0x') ? parseHexData(called) : encodeCall(called, values);
    if (input === undefined || input.length < MIN_DATA_CHARS) return undefined;
    const gas = optionOf('--gas-limit');
    return {
      ...{ from: parseAddress(optionOf('--from')) ?? ZERO_ADDRESS, to, input },
      value: parseAmount(optionOf('--value') ?? '0'),
      gasLimit: gas === undefined ? undefined : parseAmount(gas),
    };
  } catch (error) {
    if (isAppError(error, 'badInput')) return undefined;
    throw error;
  }
}

const MIN_DATA_CHARS = 10;

/** A negative number is an argument. */
function isOption(word: string | undefined): boolean {
  return word !== undefined && /^--?[a-z]/i.test(word);
}

/** @throws AppError `badInput` for arguments that do not fit. */
function encodeCall(signature: string, values: readonly string[]): RepeatedCall['input'] | undefined {
  // What it returns may follow, as `(uint256)`.
  const [call = '', returned] = signature.split(/\)\s{0,40}\(/);
  const item = parseAbiItem(`function ${call}${returned === undefined ? '' : ')'}`);
  if (item?.kind !== 'function') return undefined;
  const inputs = parseArguments(item.inputs, values);
  return `0x${item.selector.slice(2)}${encodeParameters(item.inputs, inputs).slice(2)}`;
}

/** In wei, or with a unit as `1ether`. */
function parseAmount(text: string): bigint {
  const [amount] = parseArguments([{ name: '', type: { kind: 'uint', bits: 256, text: 'uint256' } }], [text]);
  return amount as bigint;
}
