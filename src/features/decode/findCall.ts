import { parseAddress, parseHexData, type RepeatedCall, ZERO_ADDRESS } from '../../core/index.ts';
import { findCastCall } from './castCall.ts';

/** A field of a call, as JSON, JavaScript, viem and ethers write it; an amount may be in ether. */
const FIELD =
  /\b(from|to|data|input|calldata|value|gas|gasLimit)["']?\s{0,8}[:=]\s{0,16}["']?(0x[0-9a-fA-F]*|\d{1,78}(?:\.\d{1,18})?)(n?["']?,?\s{0,2}(?:ETH\b|\.\.\.|…)?)/g;

/** Names of one field. */
const NAMES: Readonly<Record<string, string>> = { input: 'data', calldata: 'data', gasLimit: 'gas' };
/** An error has its call near its beginning. */
const MAX_TEXT_CHARS = 256 * 1024;
/** Between two fields of one call. */
const MAX_GAP_CHARS = 200;
const MIN_DATA_CHARS = 10;
const ETHER_DECIMALS = 18;

/**
 * The first call in a text: a target and calldata in one object, or on lines one after another, else in a command line
 * of `cast`. Tools print it with the error of a call or transaction that reverts before it is mined.
 */
export function findCall(wholeText: string): RepeatedCall | undefined {
  const text = wholeText.slice(0, MAX_TEXT_CHARS);
  const fields = new Map<string, string>();
  let end = 0;
  for (const match of text.matchAll(FIELD)) {
    const [whole, written = '', value = '', rest = ''] = match;
    const name = NAMES[written] ?? written;
    const gap = text.slice(end, match.index);
    if (gap.length > MAX_GAP_CHARS || /[{}]/.test(gap) || fields.has(name)) {
      const call = toCall(fields);
      if (call) return call;
      fields.clear();
    }
    fields.set(name, /ETH$/.test(rest) ? `${value} ETH` : /(?:\.|…)$/.test(rest) ? '' : value);
    end = match.index + whole.length;
  }
  return toCall(fields) ?? findCastCall(text);
}

function toCall(fields: ReadonlyMap<string, string>): RepeatedCall | undefined {
  const to = parseAddress(fields.get('to'));
  const input = parseHexData(fields.get('data'));
  const value = parseAmount(fields.get('value') ?? '0');
  if (!to || input === undefined || input.length < MIN_DATA_CHARS || value === undefined) return undefined;
  const gasLimit = parseAmount(fields.get('gas') ?? '');
  return { from: parseAddress(fields.get('from')) ?? ZERO_ADDRESS, to, input, value, gasLimit };
}

function parseAmount(text: string): bigint | undefined {
  if (text.endsWith(' ETH')) {
    const [whole = '', fraction = ''] = text.slice(0, -4).split('.');
    return /^\d+$/.test(whole) ? BigInt(`${whole}${fraction.padEnd(ETHER_DECIMALS, '0')}`) : undefined;
  }
  return /^(?:0x[0-9a-fA-F]{1,64}|\d+)$/.test(text) ? BigInt(text) : undefined;
}
