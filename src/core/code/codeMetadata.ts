/** What a compiler appends to code: a CBOR map with the hash of its metadata and the version of the compiler. */
export interface CodeMetadata {
  /** In hex digits of the code; `to` is exclusive. */
  readonly from: number;
  readonly to: number;
  /** Undefined if the compiler wrote none. */
  readonly hash: { readonly kind: 'ipfs' | 'bzzr0' | 'bzzr1'; readonly digits: string } | undefined;
  /** Such as `0.8.26`; undefined if the compiler wrote none. */
  readonly compiler: string | undefined;
}

/** The longest block has some 140 bytes: a hash, a nightly version of the compiler. */
const MAX_DIGITS = 400;
/** The length of the map in two bytes, without themselves. */
const LENGTH_DIGITS = 4;

/**
 * Finds the block at the end of code. It is parsed strictly, or code could be hidden there: a map with the keys that
 * compilers write, which has exactly the length that its last two bytes say.
 *
 * - https://docs.soliditylang.org/en/latest/metadata.html#encoding-of-the-metadata-hash-in-the-bytecode
 * - https://github.com/vyperlang/vyper/pull/3010
 *
 * @param digits hex digits in lower case, without `0x`.
 * @example findCodeMetadata('fea164736f6c6343000815000a')?.compiler // '0.8.21'
 */
export function findCodeMetadata(digits: string): CodeMetadata | undefined {
  const length = 2 * Number.parseInt(digits.slice(-LENGTH_DIGITS), 16);
  const from = digits.length - LENGTH_DIGITS - length;
  const block = length <= MAX_DIGITS && from >= 0 ? parseMetadata(digits, from) : undefined;
  return block?.to === digits.length ? block : findFirstVyper(digits);
}

/**
 * Finds the block around a position inside of code: an embedded contract ends with one.
 *
 * @param at in hex digits.
 * @param least where the block begins at the earliest.
 * @example findMetadataAround('fea164736f6c6343000815000a00', 8, 0)?.to // 26
 */
export function findMetadataAround(digits: string, at: number, least: number): CodeMetadata | undefined {
  const stop = Math.max(least, at - MAX_DIGITS);
  for (let from = digits.lastIndexOf('a', at); from >= stop; from = digits.lastIndexOf('a', from - 1)) {
    const block = from % 2 === 0 ? parseMetadata(digits, from) : undefined;
    if (block && block.to > at) return block;
    if (from === 0) break;
  }
  return undefined;
}

/** The block that begins at a position: a map and its length. */
export function parseMetadata(digits: string, from: number): CodeMetadata | undefined {
  const body = parseMap(digits, from);
  if (!body) return undefined;
  const length = 2 * Number.parseInt(digits.slice(body.to, body.to + LENGTH_DIGITS), 16);
  return length === body.to - from ? { ...body, from, to: body.to + LENGTH_DIGITS } : undefined;
}

/** Vyper 0.3.4 wrote `{"vyper": [0, 3, 4]}` without its length. */
function findFirstVyper(digits: string): CodeMetadata | undefined {
  const from = digits.length - FIRST_VYPER_DIGITS;
  const body = from >= 0 && digits.startsWith('a1657679706572', from) ? parseMap(digits, from) : undefined;
  return body?.to === digits.length ? { ...body, from } : undefined;
}

const FIRST_VYPER_DIGITS = 22;

/** The entries that compilers write: the key as CBOR, and its value with the part that counts. */
const ENTRIES = [
  { key: '6469706673', value: /^5822(1220[0-9a-f]{64})/, name: 'ipfs' },
  { key: '65627a7a7231', value: /^5820([0-9a-f]{64})/, name: 'bzzr1' },
  { key: '65627a7a7230', value: /^5820([0-9a-f]{64})/, name: 'bzzr0' },
  { key: '6c6578706572696d656e74616c', value: /^(f5)/, name: 'experimental' },
  { key: '64736f6c63', value: /^43([0-9a-f]{6})/, name: 'release' },
  // A text of 24 to 99 characters.
  { key: '64736f6c63', value: /^78([1-6][0-9a-f](?:[0-9a-f]{2}){24,100})/, name: 'nightly' },
  { key: '657679706572', value: /^83([0-9a-f]{6})/, name: 'release' },
] as const;

function findEntry(digits: string, from: number) {
  for (const entry of ENTRIES) {
    if (!digits.startsWith(entry.key, from)) continue;
    const start = from + entry.key.length;
    const found = entry.value.exec(digits.slice(start, start + MAX_DIGITS));
    if (found) return { ...entry, content: found[1] ?? '', to: start + found[0].length };
  }
  return undefined;
}

/** Undefined if it is no map, or has an entry that no compiler writes. */
function parseMap(digits: string, from: number): Omit<CodeMetadata, 'from'> | undefined {
  const count = Number.parseInt(digits.slice(from + 1, from + 2), 16);
  if (digits[from] !== 'a' || !(count >= 1 && count <= 4)) return undefined;
  let to = from + 2;
  let hash: CodeMetadata['hash'];
  let compiler: string | undefined;
  const keys = new Set<string>();
  for (let index = 0; index < count; index++) {
    const entry = findEntry(digits, to);
    if (!entry || keys.has(entry.key)) return undefined;
    keys.add(entry.key);
    const { content } = entry;
    to = entry.to;
    if (entry.name === 'release') compiler = formatVersion(content);
    else if (entry.name === 'nightly') {
      const textDigits = 2 * Number.parseInt(content.slice(0, 2), 16);
      compiler = decodeVersion(content.slice(2, 2 + textDigits));
      if (compiler === undefined) return undefined;
      to += 2 + textDigits - content.length;
    } else if (entry.name !== 'experimental') hash = { kind: entry.name, digits: content };
  }
  return { to, hash, compiler };
}

function formatVersion(digits: string): string {
  const byte = (at: number) => Number.parseInt(digits.slice(at, at + 2), 16);
  return `${byte(0)}.${byte(2)}.${byte(4)}`;
}

function decodeVersion(digits: string): string | undefined {
  const bytes = digits.match(/../g) ?? [];
  const text = bytes.map((byte) => String.fromCharCode(Number.parseInt(byte, 16))).join('');
  return /^\d+\.\d+\.\d[\w.+-]*$/.test(text) ? text : undefined;
}
