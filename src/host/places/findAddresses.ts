import { type Address, parseAddress } from '../../core/index.ts';

/** An address as it stands in a text. */
export interface FoundAddress {
  readonly address: Address;
  /** As written, letter case included. */
  readonly written: string;
  /** Index of its first character. */
  readonly offset: number;
}

// Neither side may go on as a word does: more digits would make it a part of a hash, letters a part of a name.
const ADDRESS = /(?<![0-9A-Za-z_$])0[xX][0-9a-fA-F]{40}(?![0-9A-Za-z_$])/g;
/** Longest text that is searched around a position, so that a line of megabytes costs no more than a short one. */
const NEAR = 64;

/** Every address of `text` in order; `0X` counts as `0x`. */
export function* findAddresses(text: string): Generator<FoundAddress> {
  for (const match of text.matchAll(ADDRESS)) {
    const written = `0x${match[0].slice(2)}`;
    const address = parseAddress(written);
    if (address) yield { address, written, offset: match.index };
  }
}

/** The address that `offset` of `line` lies in or at the edge of. */
export function addressAt(line: string, offset: number): FoundAddress | undefined {
  const start = Math.max(0, offset - NEAR);
  for (const found of findAddresses(line.slice(start, offset + NEAR))) {
    const at = start + found.offset;
    if (at <= offset && offset <= at + found.written.length) return { ...found, offset: at };
  }
  return undefined;
}
