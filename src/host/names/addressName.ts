import { type Address, type Identity, sanitizeName } from '../../core/index.ts';
import { type FoundAddress, findAddresses } from '../places/hexInText.ts';

/** Providers of names, in order of precedence. */
export const nameProviderIds = [
  ...(['mine', 'deployment', 'label', 'foundry', 'constant', 'standard'] as const),
  'development',
] as const;
export type NameProviderId = (typeof nameProviderIds)[number];

/** Whether a name is well known, so that nobody has given it in this workspace. */
export function isWellKnown({ provider }: Pick<AddressName, 'provider'>): boolean {
  return provider === 'standard' || provider === 'development';
}

/** A name of an address, and its provider. */
export interface AddressName {
  readonly name: string;
  readonly provider: NameProviderId;
  /** The file of the workspace, or the EIP; undefined for a user label. */
  readonly file?: string | undefined;
  /** In that file, from 1. */
  readonly line?: number | undefined;
  /** Of a deployment. */
  readonly block?: bigint | undefined;
  /** When a tool deployed it, in milliseconds. */
  readonly time?: number | undefined;
}

export interface NamedAddress extends AddressName {
  readonly address: Address;
}

/** Whether a name is that of a precompile, which has no better one. The zero address has a standard name, too. */
export function isPrecompile({ provider, file }: AddressName): boolean {
  return provider === 'standard' && file !== undefined;
}

/** A name and the chain that it applies to. */
export interface ProvidedName extends NamedAddress {
  /** Undefined: on every chain. */
  readonly chainId: number | undefined;
}

/**
 * Whether an address has no code, although the project has deployed a contract there on a chain with this ID: the
 * endpoint serves another chain, or a new one.
 */
export function isMissingDeployment(
  identity: Pick<Identity, 'kind'> | undefined,
  names: readonly Pick<AddressName, 'provider'>[],
): boolean {
  return identity?.kind === 'account' && names.some(({ provider }) => provider === 'deployment');
}

const MAX_NAME_CHARS = 64;

/** Sanitises a name; undefined where nothing is left, or it looks like an address. */
export function toAddressName(text: string): string | undefined {
  return sanitizeName(text, MAX_NAME_CHARS);
}

/** Parses a chain ID in a file; undefined where it is not valid. */
export function parseChainId(text: string | undefined): number | undefined {
  const chainId = text === undefined ? Number.NaN : Number(text);
  return Number.isSafeInteger(chainId) && chainId > 0 ? chainId : undefined;
}

/**
 * How well `text` matches what a user typed: all characters in order, ignoring case; better at its start, at the
 * start of a word, and in sequence. A higher number is a better match; undefined for no match. Linear time.
 */
export function getFuzzyScore(typed: string, text: string): number | undefined {
  const query = typed.toLowerCase();
  const lower = text.toLowerCase();
  let score = 0;
  let last = -2;
  let at = 0;
  for (const character of query) {
    const found = lower.indexOf(character, at);
    if (found < 0) return undefined;
    score += found === last + 1 || found === 0 ? 3 : isWordStart(text, found) ? 2 : 0;
    last = found;
    at = found + character.length;
  }
  return score - text.length / 1000;
}

/**
 * Whether a word begins at an index: after a character that is not a letter or digit, or with an upper-case letter
 * after a lower-case one.
 */
export function isWordStart(text: string, at: number): boolean {
  const [before = '', here = ''] = [text[at - 1], text[at]];
  return !/[A-Za-z0-9]/.test(before) || (/[A-Z]/.test(here) && /[a-z0-9]/.test(before));
}

/** Scan only this much of pasted text: links are shorter. */
const MAX_PASTED_CHARS = 2000;

/**
 * The only address in pasted text: alone, in quotes, followed by a comma, in a link to an explorer, or without
 * `0x`. Undefined for none, and for several different ones.
 */
export function parsePastedAddress(text: string): FoundAddress | undefined {
  const start = text.trim().slice(0, MAX_PASTED_CHARS);
  const [first, ...others] = findAddresses(/^[0-9a-fA-F]{40}$/.test(start) ? `0x${start}` : start);
  return others.every(({ address }) => address === first?.address) ? first : undefined;
}
