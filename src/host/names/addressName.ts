import { type Address, sanitizeText } from '../../core/index.ts';

/** Who gives an address its name; the first that does is shown. */
export const nameSources = ['mine', 'deployment', 'label', 'foundry', 'constant', 'standard'] as const;
export type NameSource = (typeof nameSources)[number];

/** What an address is called, and who says so. */
export interface AddressName {
  readonly name: string;
  readonly source: NameSource;
  /** The file of the workspace that says so, or the proposal; undefined for a label of the user's own. */
  readonly file?: string | undefined;
  /** In that file, from 1. */
  readonly line?: number | undefined;
}

export interface NamedAddress extends AddressName {
  readonly address: Address;
}

/** A name and where it holds. */
export interface GivenName extends NamedAddress {
  /** Undefined: on every chain. */
  readonly chainId: number | undefined;
}

const LONGEST_NAME = 64;

/** A name out of a file made fit to be shown; undefined for one that says nothing. */
export function nameText(text: string): string | undefined {
  return sanitizeText(text, LONGEST_NAME) || undefined;
}

/** A chain id as files write it; undefined for what is none. */
export function readChainId(text: string | undefined): number | undefined {
  const chainId = text === undefined ? Number.NaN : Number(text);
  return Number.isSafeInteger(chainId) && chainId > 0 ? chainId : undefined;
}
