import * as z from 'zod/mini';
import type { AbiItemText } from '../abi/item.ts';
import type { FetchOptions, Offers, Provenance, ProviderLabel } from '../base/provenance.ts';
import { sanitizeText } from '../base/text.ts';
import { type Address, type Hex, parseAddress, ZERO_ADDRESS } from '../eth/hex.ts';
import { optionalField, textField } from '../http/fields.ts';

/**
 * How the verified source matches the contract: `exact` if its metadata matches too, `partial` if only the
 * code does, `twin` if another contract with the same code was verified instead.
 */
export type VerifiedMatch = 'exact' | 'partial' | 'twin';

/**
 * A proxy as a provider of verified contracts reports it, for reading its ABI. What the user sees of an
 * address is in `identity/identity.ts`.
 */
export interface ProxyFacts {
  /** As the provider reports it: `EIP1967Proxy`, `eip1967`. */
  readonly type: string | undefined;
  /** Several for a diamond, or if the provider found several candidates and does not choose. */
  readonly implementations: readonly NamedImplementation[];
  /** Addresses by other detection methods: which one is in force is uncertain. */
  readonly conflicting?: readonly Address[];
}

interface NamedImplementation {
  readonly address: Address;
  readonly name?: string;
}

export interface VerifiedContract extends Provenance {
  readonly address: Address;
  /** Sanitized text; undefined if not reported. */
  readonly name: string | undefined;
  readonly abi: readonly AbiItemText[];
  readonly match: VerifiedMatch;
  /** The verified contract with the same code. */
  readonly twin?: Address;
  /** The ID of this verification. What it refers to never changes. */
  readonly matchId?: string;
  readonly created?: { readonly block: bigint; readonly transaction?: Hex };
  /** Undefined if it is not a proxy, or if the provider cannot tell at the moment. */
  readonly proxy?: ProxyFacts;
  /** Whether the code at the address has changed since the verification. */
  readonly changedBytecode?: boolean;
}

/** Path and text are sanitized. */
export interface VerifiedFile {
  readonly path: string;
  readonly text: string;
}

export interface VerifiedFiles extends Provenance {
  readonly files: readonly VerifiedFile[];
  readonly left: number;
  /** What the compiler wrote of it, or `compiler` and `settings` alone; as the provider sends it, unchecked. */
  readonly metadata?: unknown;
  /** As the compiler wrote it; unchecked. */
  readonly storageLayout?: unknown;
}

export interface VerifiedChains extends Provenance {
  readonly chainIds: readonly number[];
}

export type VerifiedMethod = 'verifiedContract' | 'proxyAt' | 'verifiedSources' | 'verifiedOn';

/**
 * Verified contracts on one chain. Results are shared and cached briefly.
 *
 * Every method throws AppError of any network kind, and `notServed` if the provider does not serve the chain
 * or the method.
 */
export interface VerifiedProvider {
  readonly label: ProviderLabel;
  readonly offers: Offers<VerifiedMethod>;
  /** Undefined if neither the contract nor a twin is verified. */
  verifiedContract(address: Address, options?: FetchOptions): Promise<VerifiedContract | undefined>;
  /** The proxy at the address, verified or not; undefined if the provider knows none. */
  proxyAt(address: Address, options?: FetchOptions): Promise<ProxyFacts | undefined>;
  /** The source files; undefined if nothing is verified at the address. */
  verifiedSources(address: Address, options?: FetchOptions): Promise<VerifiedFiles | undefined>;
  /** All chains of the provider on which a contract is verified at the address. */
  verifiedOn(address: Address, options?: FetchOptions): Promise<VerifiedChains>;
}

/** For one contract; files beyond the limits are left out. */
const MAX_VERIFIED_FILES = 500;
const MAX_SOURCE_TEXT_CHARS = 8 * 1024 * 1024;
/** Implementations of one proxy; the largest diamonds have about thirty facets. */
export const MAX_IMPLEMENTATIONS = 40;

const MAX_PATH_CHARS = 300;

/**
 * Takes the files within the limits, the first one of each path, and counts the rest. Paths are sanitized and
 * never lead outside: `../a.sol` and `/a.sol` become `a.sol`.
 *
 * @example parseVerifiedFiles([['../Shop.sol', 'contract Shop {}']])
 * // { files: [{ path: 'Shop.sol', text: 'contract Shop {}' }], left: 0 }
 */
export function parseVerifiedFiles(entries: Iterable<readonly [path: string, text: string]>): {
  readonly files: readonly VerifiedFile[];
  readonly left: number;
} {
  const files = new Map<string, string>();
  let characters = 0;
  let left = 0;
  for (const [rawPath, text] of entries) {
    const path = sanitizePath(rawPath);
    const fits = files.size < MAX_VERIFIED_FILES && characters + text.length <= MAX_SOURCE_TEXT_CHARS;
    if (path === '' || files.has(path) || !fits) {
      left++;
      continue;
    }
    characters += text.length;
    files.set(path, text);
  }
  return { files: [...files].map(([path, text]) => ({ path, text })), left };
}

function sanitizePath(rawPath: string): string {
  const parts = sanitizeText(rawPath, MAX_PATH_CHARS).replaceAll('\\', '/').split('/');
  return parts.filter((part) => part !== '' && part !== '.' && part !== '..').join('/');
}

/** Blockscout 8.0 and later have `address_hash`; earlier releases and Sourcify have `address`. */
const Entry = z.object({
  address: optionalField(z.string()),
  address_hash: optionalField(z.string()),
  name: optionalField(textField),
});

/**
 * Parses a list of implementations, without duplicates, the proxy itself and zero.
 *
 * @param max default 40.
 * @example parseImplementations([{ address: '0x00000000000000000000000000000000000000AA' }], proxy)
 */
export function parseImplementations(
  list: readonly unknown[] | undefined,
  proxy: Address,
  max = MAX_IMPLEMENTATIONS,
): readonly NamedImplementation[] {
  const found = new Map<Address, NamedImplementation>();
  for (const entry of list ?? []) {
    if (found.size >= max) break;
    const { data } = Entry.safeParse(entry);
    const address = parseAddress(data?.address_hash ?? data?.address);
    if (!address || address === proxy || address === ZERO_ADDRESS || found.has(address)) continue;
    found.set(address, { address, ...(data?.name !== undefined && { name: data.name }) });
  }
  return [...found.values()];
}
