import { toChecksumAddress } from '../../core/index.ts';
import { getHashContext, isPlainWord } from './hashContext.ts';
import { type FoundHex, findAddresses, findAllHex } from './hexInText.ts';

export interface ChainLink {
  readonly kind: 'address' | 'transaction' | 'hex';
  /** The address, the hash or the hex. */
  readonly value: string;
  readonly offset: number;
  readonly length: number;
}

const MAX_LINE_CHARS = 20_000;
const MAX_LINKS = 50;
const SELECTOR_DIGITS = 8;
const WORD_DIGITS = 64;

/**
 * What can be opened on a line of a text: addresses, hashes, and hex that may be a call or a revert.
 *
 * @param hashes whether a word counts as a hash only if the line calls it one; otherwise unless it may be a key.
 */
export function findChainLinks(
  line: string,
  { hashes }: { readonly hashes: 'named' | 'likely' },
): readonly ChainLink[] {
  const text = line.slice(0, MAX_LINE_CHARS);
  const links: ChainLink[] = [];
  for (const { address, written, offset } of findAddresses(text)) {
    links.push({ kind: 'address', value: toChecksumAddress(address), offset, length: written.length });
  }
  for (const found of findAllHex(text)) {
    const kind = getLinkKind(found, text, hashes === 'named');
    if (kind) links.push({ kind, value: found.hex, offset: found.offset, length: found.length });
  }
  return links.slice(0, MAX_LINKS);
}

/** anvil and hardhat number the private keys that they print: `(0) 0x…`. */
const NUMBERED = /^\s*\(\d+\)/;

function getLinkKind(
  { hex, offset, isCut }: FoundHex,
  line: string,
  isNamed: boolean,
): 'transaction' | 'hex' | undefined {
  const digits = hex.length - 2;
  if (isCut || ![0, SELECTOR_DIGITS].includes(digits % WORD_DIGITS)) return undefined;
  if (digits !== WORD_DIGITS || isPlainWord(BigInt(hex))) return 'hex';
  const context = getHashContext({ path: '', line, character: offset });
  const isOffered = context === 'offer' && !isNamed && !NUMBERED.test(line);
  return context === 'ask' || isOffered ? 'transaction' : undefined;
}
