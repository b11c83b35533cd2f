import type { HoveredPlace } from '../hover/hexHover.ts';

/**
 * What may be done with 32 bytes in a text: `ask` the network what they are, where the text calls them a hash; `offer` to,
 * where it says nothing; or neither, as they may be a `secret`: a private key has as many bytes as a hash.
 */
export type HashContext = 'ask' | 'offer' | 'secret';

/** Characters of the line that are looked at, in front of the hex and behind it. */
const BEFORE = 120;
const BEHIND = 40;
/** `0x` and 64 digits, or `hex"…"` of as many. */
const LONGEST_HASH = 70;
const SECRET =
  /key|secret|priv|seed|mnemonic|passw|passphrase|signer|wallet|account|entropy|salt|\bpk\b|\bsk\b|sign\(|addr\(|startbroadcast/i;
const HASH = /hash|tx|transaction|receipt|block/i;
const SECRET_FILE = /^\.env|\.(?:env|key|pem|keystore|secret)$/i;

/** By the words around it on its line, and by the name of its file. */
export function hashContext({ document, position }: HoveredPlace): HashContext {
  const { path } = document.uri;
  if (SECRET_FILE.test(path.slice(path.lastIndexOf('/') + 1))) return 'secret';
  const { text } = document.lineAt(position.line);
  const { character } = position;
  const before = text.slice(Math.max(0, character - BEFORE), character);
  const behind = text.slice(character, character + LONGEST_HASH + BEHIND).replace(/0x[0-9a-fA-F]{64}/, '');
  const around = `${before} ${behind}`;
  if (SECRET.test(around)) return 'secret';
  const isBroadcast = path.includes('/broadcast/') && path.endsWith('.json');
  return isBroadcast || HASH.test(around) ? 'ask' : 'offer';
}
