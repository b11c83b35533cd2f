import { sanitizeText } from '../base/text.ts';
import { writeHex } from '../eth/bytes.ts';
import { type Address, type Hex, parseHexData } from '../eth/hex.ts';

/** Bytes behind the arguments of a call. The called function ignores them. */
export interface CallSuffix {
  readonly data: Hex;
  /** What they say about who made the transaction; undefined if they are not an ERC-8021 suffix. */
  readonly attribution: Attribution | undefined;
}

/** https://eips.ethereum.org/EIPS/eip-8021 */
export interface Attribution {
  /** 0: codes of the canonical registry, 1: of another registry, 2: CBOR. Codes of other schemas are unknown. */
  readonly schema: number;
  /** The codes of the app, the wallet and services; sanitized. */
  readonly codes: readonly string[];
  readonly registry: { readonly address: Address; readonly chainId: string } | undefined;
}

const MARKER = '80218021802180218021802180218021';
const MARKER_BYTES = MARKER.length / 2;
const MAX_CODES = 32;
const MAX_CODE_CHARS = 64;
const MAX_CBOR_DEPTH = 8;
const ADDRESS_BYTES = 20;

/**
 * @param data the bytes behind the arguments, in lower case.
 * @example parseCallSuffix('0x62617365617070070080218021802180218021802180218021').attribution?.codes // ['baseapp']
 */
export function parseCallSuffix(data: Hex): CallSuffix {
  return { data, attribution: parseAttribution(data) };
}

/**
 * The ERC-8021 attribution that data ends with: the schema stands before the marker, and its content before that.
 *
 * @example parseAttribution('0x12') // undefined
 */
export function parseAttribution(data: Hex): Attribution | undefined {
  const isMarked = data.slice(-MARKER.length) === MARKER;
  const text = isMarked ? parseHexData(data) : undefined;
  if (text === undefined) return undefined;
  const bytes = new Uint8Array((text.length - 2) / 2);
  writeHex(text, bytes, 0);
  const schemaAt = bytes.length - MARKER_BYTES - 1;
  const schema = bytes[schemaAt];
  if (schema === undefined) return undefined;
  switch (schema) {
    case 0:
    case 1:
      return readCodes(bytes, schemaAt, schema);
    case 2:
      return readCbor(bytes, schemaAt);
    default:
      return { schema, codes: [], registry: undefined };
  }
}

/** `codes, length (1 byte)`; schema 1 has `address, chain ID, length of the chain ID (1 byte)` before that. */
function readCodes(bytes: Uint8Array, end: number, schema: number): Attribution | undefined {
  const length = bytes[end - 1];
  const start = end - 1 - (length ?? end);
  if (start < 0) return undefined;
  const codes = decodeText(bytes.subarray(start, end - 1)).split(',');
  const registry = schema === 1 ? readRegistry(bytes.subarray(0, start)) : undefined;
  if (schema === 1 && !registry) return undefined;
  return { schema, codes: toCodes(codes), registry };
}

function readRegistry(bytes: Uint8Array): Attribution['registry'] {
  const idLength = bytes.at(-1) ?? 0;
  const idAt = bytes.length - 1 - idLength;
  const addressAt = idAt - ADDRESS_BYTES;
  if (idLength === 0 || addressAt < 0) return undefined;
  const address = toDigits(bytes.subarray(addressAt, idAt));
  return { address: `0x${address}`, chainId: BigInt(`0x${toDigits(bytes.subarray(idAt, -1))}`).toString() };
}

/** `CBOR, length (2 bytes)`: a map with the codes of the app (`a`), the wallet (`w`) and services (`s`). */
function readCbor(bytes: Uint8Array, end: number): Attribution | undefined {
  const [high = 0, low = 0] = bytes.subarray(Math.max(0, end - 2), end);
  const start = end - 2 - (high * 256 + low);
  const content = start < 0 ? undefined : readCborItem({ bytes: bytes.subarray(start, end - 2), at: 0 }, 0);
  if (!(content instanceof Map)) return undefined;
  const codes = ['a', 'w', 's'].flatMap((key) => content.get(key) ?? []);
  const texts = codes.filter((code) => typeof code === 'string');
  return { schema: 2, codes: toCodes(texts), registry: undefined };
}

type CborItem = string | number | readonly CborItem[] | ReadonlyMap<CborItem, CborItem>;

/** Reads an item of a definite length (RFC 8949); numbers and simple values are 0. Undefined if it is malformed. */
function readCborItem(
  cursor: { readonly bytes: Uint8Array; at: number },
  depth: number,
): CborItem | undefined {
  const { bytes } = cursor;
  const first = bytes[cursor.at++];
  if (first === undefined || depth > MAX_CBOR_DEPTH) return undefined;
  const extra = first & 31;
  const extraBytes = extra < 24 ? 0 : 2 ** (extra - 24);
  if (extra > 27 || cursor.at + extraBytes > bytes.length) return undefined;
  let length = extraBytes === 0 ? extra : 0;
  for (let count = 0; count < extraBytes; count++) length = length * 256 + (bytes[cursor.at++] ?? 0);
  const left = bytes.length - cursor.at;
  switch (first >> 5) {
    case 2:
    case 3: {
      if (length > left) return undefined;
      cursor.at += length;
      return decodeText(bytes.subarray(cursor.at - length, cursor.at));
    }
    case 4:
    case 5: {
      const isMap = first >> 5 === 5;
      const items: CborItem[] = [];
      // Each item takes a byte or more.
      const count = isMap ? 2 * length : length;
      if (count > left) return undefined;
      while (items.length < count) {
        const item = readCborItem(cursor, depth + 1);
        if (item === undefined) return undefined;
        items.push(item);
      }
      if (!isMap) return items;
      return new Map(items.flatMap((item, index) => (index % 2 ? [[items[index - 1] ?? '', item]] : [])));
    }
    case 6:
      return readCborItem(cursor, depth + 1);
    default:
      return 0;
  }
}

function toCodes(texts: readonly string[]): readonly string[] {
  const codes = texts.slice(0, MAX_CODES).map((text) => sanitizeText(text, MAX_CODE_CHARS));
  return codes.filter((code) => code !== '');
}

const decodeText = (bytes: Uint8Array) => new TextDecoder().decode(bytes);

const toDigits = (bytes: Uint8Array) =>
  Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
