import * as vscode from 'vscode';
import { toChecksumAddress } from '../../core/index.ts';
import { runCommand } from '../../host/commands.ts';
import { type FoundHex, findAddresses, findAllHex } from '../../host/places/hexInText.ts';
import { getHashContext } from './findItems.ts';
import { isPlainWord } from './hexHover.ts';

export interface ChainTerminalLink extends vscode.TerminalLink {
  readonly kind: 'address' | 'transaction' | 'hex';
  /** The address, the hash or the hex. */
  readonly value: string;
}

/** VS Code passes a wrapped line as one, up to about 2,000 characters. */
const MAX_LINE_CHARS = 20_000;
const MAX_LINKS = 50;
const SELECTOR_DIGITS = 8;
const WORD_DIGITS = 64;

/** The links of a line of a terminal: addresses, hashes, and hex that may be a call or a revert. */
export function findTerminalLinks(line: string): ChainTerminalLink[] {
  const text = line.slice(0, MAX_LINE_CHARS);
  const { l10n } = vscode;
  const links: ChainTerminalLink[] = [];
  for (const { address, written, offset } of findAddresses(text)) {
    const place = { startIndex: offset, length: written.length, tooltip: l10n.t('Look Up Address') };
    links.push({ ...place, kind: 'address', value: toChecksumAddress(address) });
  }
  for (const found of findAllHex(text)) {
    const kind = getLinkKind(found, text);
    if (!kind) continue;
    const tooltip = kind === 'transaction' ? l10n.t('Show Transaction') : l10n.t('Decode');
    links.push({ startIndex: found.offset, length: found.length, tooltip, kind, value: found.hex });
  }
  return links.slice(0, MAX_LINKS);
}

/** anvil and hardhat number the private keys that they print: `(0) 0x…`. */
const NUMBERED = /^\s*\(\d+\)/;

function getLinkKind({ hex, offset, isCut }: FoundHex, line: string): 'transaction' | 'hex' | undefined {
  const digits = hex.length - 2;
  if (isCut || ![0, SELECTOR_DIGITS].includes(digits % WORD_DIGITS)) return undefined;
  if (digits !== WORD_DIGITS) return 'hex';
  if (isPlainWord(BigInt(hex))) return 'hex';
  const context = getHashContext({ path: '', line, character: offset });
  const isSecret = context === 'secret' || (context === 'offer' && NUMBERED.test(line));
  return isSecret ? undefined : 'transaction';
}

export async function openTerminalLink({ kind, value }: ChainTerminalLink): Promise<void> {
  if (kind === 'address') await runCommand('chainside.lookUpAddress', value);
  else if (kind === 'transaction') await runCommand('chainside.showTransaction', value);
  else await runCommand('chainside.decode', value);
}
