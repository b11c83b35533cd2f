import { type Address, sanitizeText } from '../../core/index.ts';
import { type FoundAddress, findAddresses } from '../places/hexInText.ts';

/** Who gives an address its name; the first that does is shown. */
export const nameProviderIds = ['mine', 'deployment', 'label', 'foundry', 'constant', 'standard'] as const;
export type NameProviderId = (typeof nameProviderIds)[number];

/** What an address is called, and who says so. */
export interface AddressName {
  readonly name: string;
  readonly provider: NameProviderId;
  /** The file of the workspace that says so, or the proposal; undefined for a label of the user's own. */
  readonly file?: string | undefined;
  /** In that file, from 1. */
  readonly line?: number | undefined;
}

export interface NamedAddress extends AddressName {
  readonly address: Address;
}

/** A name and where it holds. */
export interface ProvidedName extends NamedAddress {
  /** Undefined: on every chain. */
  readonly chainId: number | undefined;
}

const MAX_NAME_CHARS = 64;

/** A name out of a file made fit to be shown; undefined for one that says nothing. */
export function toAddressName(text: string): string | undefined {
  return sanitizeText(text, MAX_NAME_CHARS) || undefined;
}

/** A chain id as files write it; undefined for what is none. */
export function parseChainId(text: string | undefined): number | undefined {
  const chainId = text === undefined ? Number.NaN : Number(text);
  return Number.isSafeInteger(chainId) && chainId > 0 ? chainId : undefined;
}

/**
 * How well `text` fits what a person typed: all its characters in order, whatever their case; better at the start, at that of a
 * word and side by side. Undefined where it does not fit; a greater number fits better. Each character is looked at once.
 */
export function getFuzzyScore(typed: string, text: string): number | undefined {
  const wanted = typed.toLowerCase();
  const lower = text.toLowerCase();
  let score = 0;
  let last = -2;
  let at = 0;
  for (const character of wanted) {
    const found = lower.indexOf(character, at);
    if (found < 0) return undefined;
    score += found === last + 1 || found === 0 ? 3 : isWordStart(text, found) ? 2 : 0;
    last = found;
    at = found + character.length;
  }
  return score - text.length / 1000;
}

/** Whether a word begins there: behind what is no letter or digit, or with a capital letter behind a small one. */
export function isWordStart(text: string, at: number): boolean {
  const [before = '', here = ''] = [text[at - 1], text[at]];
  return !/[A-Za-z0-9]/.test(before) || (/[A-Z]/.test(here) && /[a-z0-9]/.test(before));
}

/** Of what is pasted, as much is looked at: a link has less. */
const MAX_PASTED_CHARS = 2000;

/**
 * The one address in what a person pastes: alone, in quotes, with a comma behind it, in a link to an explorer, or without
 * `0x`. Undefined for none, and for several that differ.
 */
export function parsePastedAddress(text: string): FoundAddress | undefined {
  const near = text.trim().slice(0, MAX_PASTED_CHARS);
  const [first, ...others] = findAddresses(/^[0-9a-fA-F]{40}$/.test(near) ? `0x${near}` : near);
  return others.every(({ address }) => address === first?.address) ? first : undefined;
}
