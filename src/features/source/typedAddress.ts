/** A partly typed address, or a name in its place. */
export interface TypedAddress {
  /** Index of its first character. */
  readonly start: number;
  /** Index after it, including what follows the cursor directly. */
  readonly end: number;
  readonly text: string;
  /** Whether it starts with `0x`, not with a name. */
  readonly isHex: boolean;
}

/** `0x` and 40 digits; a name may be as long. */
const MAX_TYPED_CHARS = 42;
/** The declaration of an address may start this far before the cursor. */
const MAX_DECLARATION_CHARS = 160;

const HEX = /(?<![\w$])0[xX]\w{0,40}$/;
/** `address constant treasury = Trea`: in Solidity, a name is completed as well. */
const ASSIGNED = /\baddress\b[\w\s]{1,80}=\s{0,8}([A-Za-z]\w{0,41})$/;
const REST = /^\w{0,42}/;

/** The part of an address, or in Solidity of a name, that ends at `offset` of a line. */
export function findTypedAddress(
  line: string,
  offset: number,
  { isSolidity }: { readonly isSolidity: boolean },
): TypedAddress | undefined {
  const before = line.slice(Math.max(0, offset - MAX_DECLARATION_CHARS), offset);
  const hex = HEX.exec(before.slice(-MAX_TYPED_CHARS - 1))?.[0];
  const text = hex ?? (isSolidity ? ASSIGNED.exec(before)?.[1] : undefined);
  if (text === undefined) return undefined;
  const rest = REST.exec(line.slice(offset, offset + MAX_TYPED_CHARS))?.[0] ?? '';
  // More digits than an address has: a hash.
  if (text.length + rest.length > MAX_TYPED_CHARS) return undefined;
  return { start: offset - text.length, end: offset + rest.length, text, isHex: hex !== undefined };
}
