import * as z from 'zod/mini';
import type { AbiItemText } from '../abi/item.ts';
import type { FetchOptions, Offers, Provenance, ProviderLabel } from '../base/provenance.ts';
import { sanitizeText } from '../base/text.ts';
import { type Address, type Hex, parseAddress, ZERO_ADDRESS } from '../eth/hex.ts';
import { optionalField, textField } from '../http/fields.ts';

/**
 * How sure it is that a source is that of the contract: `exact` where its metadata fits as well, `partial` where the
 * code alone does, `twin` where another contract with the same code was verified and not this one.
 */
export type VerifiedMatch = 'exact' | 'partial' | 'twin';

/**
 * Where a proxy sends what it is asked, as somebody tells it who knows of verified contracts: of its ABI no more is
 * needed. What an address is shown to be is in `identity/proxies/proxy.ts`.
 */
export interface ProxyFacts {
  /** As the source calls the kind: `EIP1967Proxy`, `eip1967`. */
  readonly type: string | undefined;
  /** Several of a diamond. Of the others several too where the source found more than one and does not choose. */
  readonly implementations: readonly NamedImplementation[];
  /** Addresses that other ways to find an implementation have given: it is not certain which one is in force. */
  readonly conflicting?: readonly Address[];
}

interface NamedImplementation {
  readonly address: Address;
  readonly name?: string;
}

/** A contract whose source was verified. */
export interface VerifiedContract extends Provenance {
  readonly address: Address;
  /** Plain text; undefined where the source does not tell. */
  readonly name: string | undefined;
  readonly abi: readonly AbiItemText[];
  readonly match: VerifiedMatch;
  /** The contract that was verified in the place of this one. */
  readonly twin?: Address;
  /** Names this very verification for good: what is kept under it does not change. */
  readonly matchId?: string;
  readonly created?: { readonly block: bigint; readonly transaction?: Hex };
  /** Undefined where it is no proxy, and where the source cannot tell now. */
  readonly proxy?: ProxyFacts;
  /** The code at the address is no longer the one that was verified. */
  readonly changedBytecode?: boolean;
}

/** A file of the source of a contract: plain in its path, as it is in its text. */
export interface VerifiedFile {
  readonly path: string;
  readonly text: string;
}

export interface VerifiedFiles extends Provenance {
  readonly files: readonly VerifiedFile[];
  /** Files beyond the bounds. */
  readonly left: number;
}

/** Chains on which a contract is verified at one address. */
export interface VerifiedChains extends Provenance {
  readonly chainIds: readonly number[];
}

/** The questions of {@link VerifiedProvider}. */
export type VerifiedMethod = 'verifiedContract' | 'proxyAt' | 'verifiedSources' | 'verifiedOn';

/**
 * Who tells of verified contracts on one chain. Answers are shared and kept for a moment.
 *
 * @throws AppError, each question, of any network kind, and `notServed` where the source does not serve the chain or
 *   has no such question.
 */
export interface VerifiedProvider {
  readonly label: ProviderLabel;
  readonly offers: Offers<VerifiedMethod>;
  /** Undefined where nothing is verified at the address, nor a twin known. */
  verifiedContract(address: Address, options?: FetchOptions): Promise<VerifiedContract | undefined>;
  /** Where a proxy leads, whether it is verified or not; undefined where the source knows of none. */
  proxyAt(address: Address, options?: FetchOptions): Promise<ProxyFacts | undefined>;
  /** The files of the source; undefined where nothing is verified at the address. */
  verifiedSources(address: Address, options?: FetchOptions): Promise<VerifiedFiles | undefined>;
  /** The chains, all that the service knows, on which something is verified at the address. */
  verifiedOn(address: Address, options?: FetchOptions): Promise<VerifiedChains>;
}

/** Of one contract; larger ones are shown without their last files. */
const MAX_VERIFIED_FILES = 500;
const MAX_SOURCE_TEXT_CHARS = 8 * 1024 * 1024;
/** Facets of one diamond that are read: the largest in use have some thirty. */
export const MAX_IMPLEMENTATIONS = 40;

const MAX_PATH_CHARS = 300;

/**
 * Files of a source within the bounds, the first of each path, and how many are left out. A path becomes plain, without
 * places above and without a root: `../a.sol` and `/a.sol` are `a.sol`.
 *
 * @example parseVerifiedFiles([['../Shop.sol', 'contract Shop {}']])
 * // { files: [{ path: 'Shop.sol', text: 'contract Shop {}' }], left: 0 }
 */
export function parseVerifiedFiles(written: Iterable<readonly [path: string, text: string]>): {
  readonly files: readonly VerifiedFile[];
  readonly left: number;
} {
  const files = new Map<string, string>();
  let characters = 0;
  let left = 0;
  for (const [given, text] of written) {
    const path = safePath(given);
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

function safePath(given: string): string {
  const parts = sanitizeText(given, MAX_PATH_CHARS).replaceAll('\\', '/').split('/');
  return parts.filter((part) => part !== '' && part !== '.' && part !== '..').join('/');
}

/** Releases of Blockscout from 8.0 on say `address_hash`; all others, and Sourcify, `address`. */
const Entry = z.object({
  address: optionalField(z.string()),
  address_hash: optionalField(z.string()),
  name: optionalField(textField),
});

/**
 * The implementations in a list of an answer, each once: not the proxy itself, not zero, 40 at most unless `most` says
 * otherwise.
 *
 * @example parseImplementations([{ address: '0x00000000000000000000000000000000000000AA' }], proxy)
 */
export function parseImplementations(
  list: readonly unknown[] | undefined,
  proxy: Address,
  most = MAX_IMPLEMENTATIONS,
): readonly NamedImplementation[] {
  const found = new Map<Address, NamedImplementation>();
  for (const entry of list ?? []) {
    if (found.size >= most) break;
    const { data } = Entry.safeParse(entry);
    const address = parseAddress(data?.address_hash ?? data?.address);
    if (!address || address === proxy || address === ZERO_ADDRESS || found.has(address)) continue;
    found.set(address, { address, ...(data?.name !== undefined && { name: data.name }) });
  }
  return [...found.values()];
}
