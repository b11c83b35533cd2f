/**
 * What may be done with 32 bytes of a text. `ask`: look them up, because the text calls them a hash. `offer`: offer to
 * look them up, because the text says nothing. `secret`: neither, because a private key has the length of a hash.
 */
type HashContext = 'ask' | 'offer' | 'secret';

/** Characters of the line to examine before and after the hex. */
const MAX_CHARS_BEFORE = 120;
const MAX_CHARS_AFTER = 40;
/** `0x` and 64 digits, or `hex"…"` of as many. */
const MAX_HASH_CHARS = 70;
const SECRET =
  /key|secret|priv|seed|mnemonic|passw|passphrase|signer|wallet|account|entropy|salt|\bpk\b|\bsk\b|sign\(|addr\(|startbroadcast/i;
const HASH = /hash|tx|transaction|receipt|block/i;
const SECRET_FILE = /^\.env|\.(?:env|key|pem|keystore|secret)$/i;

interface HashPlace {
  /** Of the file; empty if the text is in none. */
  readonly path: string;
  readonly line: string;
  /** Where the hex begins on the line. */
  readonly character: number;
}

/** Decides by the words around the hex on its line, and by the name of the file. */
export function getHashContext({ path, line: text, character }: HashPlace): HashContext {
  if (SECRET_FILE.test(path.slice(path.lastIndexOf('/') + 1))) return 'secret';
  const before = text.slice(Math.max(0, character - MAX_CHARS_BEFORE), character);
  const behind = text
    .slice(character, character + MAX_HASH_CHARS + MAX_CHARS_AFTER)
    .replace(/0x[0-9a-fA-F]{64}/, '');
  const around = `${before} ${behind}`;
  if (SECRET.test(around)) return 'secret';
  const isBroadcast = path.includes('/broadcast/') && path.endsWith('.json');
  return isBroadcast || HASH.test(around) ? 'ask' : 'offer';
}

/** Numbers, flags and addresses lie between -2^96 and 2^160, as words; a hash hardly ever does. */
export function isPlainWord(value: bigint): boolean {
  return value < 1n << 160n || value >= (1n << 256n) - (1n << 96n);
}
