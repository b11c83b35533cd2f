import { badInput } from '../base/errors.ts';
import type { FetchOptions, Offers, Provenance, ProviderLabel } from '../base/provenance.ts';
import { sortInSlices, type TimeSlices } from '../base/timeSlices.ts';
import type { Address, Hex } from '../eth/hex.ts';
import type { NftMovement, TokenStandard } from '../tokens/transferEvents.ts';
import type { AssetUrl } from './assetUrl.ts';

/** A value that the provider does not report is undefined. */
export interface NftToken {
  readonly contract: NftContract;
  readonly tokenId: bigint;
  readonly tokenUrl: AssetUrl | undefined;
  readonly owner: Address | undefined;
  readonly originalOwner: Address | undefined;
  /** Undefined if the provider has not read the metadata. */
  readonly metadata: NftMetadata | undefined;
  /**
   * Why the contract leads to no metadata: it has no URI for the token, the URI may not be requested, or the
   * response is not metadata. Undefined if it does, or if unknown.
   */
  readonly noMetadataReason: 'noUri' | 'notMetadata' | 'uriRefused' | undefined;
  /** Set if the URI is refused because it is not https. */
  readonly isPlainHttp?: true;
}

export interface NftBalances {
  readonly address: Address;
  /** When the provider last synced with the chain, in milliseconds since the Unix epoch. */
  readonly updatedAt: number | undefined;
  readonly collections: readonly NftCollection[];
  /** Entries that are missing because they were unreadable or over the limit. */
  readonly skipped: number;
}

/**
 * The tokens of one NFT contract that an address owns. A value that the provider does not report is
 * undefined.
 */
export interface NftCollection {
  readonly contract: Address;
  readonly standard: TokenStandard | undefined;
  /** Untrusted text, sanitized and shortened; may still contain markup. */
  readonly name: string | undefined;
  readonly symbol: string | undefined;
  /** The number of tokens owned. */
  readonly amount: bigint | undefined;
  readonly spam: boolean | undefined;
  /** In milliseconds since the Unix epoch. */
  readonly lastTransferAt: number | undefined;
  readonly nfts: readonly NftHolding[] | undefined;
}

export interface NftHolding {
  readonly tokenId: bigint;
  /** Copies owned; undefined if not reported. */
  readonly amount: bigint | undefined;
}

/** Untrusted text, sanitized and shortened. */
export interface NftMetadata {
  readonly name: string | undefined;
  readonly description: string | undefined;
  /** The image of about 512 pixels if there are several. Not fetched yet. */
  readonly image: AssetUrl | undefined;
  readonly animation: AssetUrl | undefined;
  readonly externalUrl: AssetUrl | undefined;
  readonly attributes: readonly NftAttribute[];
  /** Attributes that are missing because they were unreadable or over the limit. */
  readonly attributesSkipped: number;
}

export interface NftAttribute {
  readonly trait: string | undefined;
  readonly value: string;
  /** The display type, such as `date` (the value is seconds since the Unix epoch) or `boost_percentage`. */
  readonly display: string | undefined;
}

/** An NFT contract as the provider reports it. A value that it does not report is undefined. */
export interface NftContract {
  readonly contract: Address;
  /** Untrusted text, sanitized and shortened; may still contain markup. */
  readonly name: string | undefined;
  readonly symbol: string | undefined;
  /** Everything that the contract claims to support, such as `erc165` and `erc721`; `erc20` proves nothing. */
  readonly standards: readonly string[];
  readonly standard: TokenStandard | undefined;
  /** The number of tokens, if the contract counts them. */
  readonly supply: bigint | undefined;
  /** Reported for few chains; elsewhere `false` proves nothing. */
  readonly spam: boolean | undefined;
}

export type NftMethod = 'nftContract' | 'nftToken' | 'nftTransfers';

/**
 * NFT contracts and tokens on one chain. Results are shared and cached briefly, as those of a
 * `HoldingsProvider`.
 *
 * Every method throws AppError of any network kind, and `creditsUsedUp`, `forbidden`, `notServed`,
 * `tooHeavy`, `unauthorized`; `aborted` when the signal fires or the key is removed.
 */
export interface NftProvider {
  readonly label: ProviderLabel;
  readonly offers: Offers<NftMethod>;
  nftTransfers(contract: Address, tokenId: bigint, options?: FetchOptions): Promise<NftTransactions>;
  /** Undefined if the provider has no token of the contract. */
  nftContract(contract: Address, options?: FetchOptions): Promise<NftContract | undefined>;
  /** The token with its metadata; undefined if the provider does not know it. */
  nftToken(contract: Address, tokenId: bigint, options?: FetchOptions): Promise<NftToken | undefined>;
}

export interface NftTransactions extends Provenance {
  /** Undefined if the provider does not report it with the history. */
  readonly contract: NftContract | undefined;
  /** When the provider last synced with the chain, in milliseconds since the Unix epoch. */
  readonly updatedAt: number | undefined;
  /** Newest first, without duplicates. */
  readonly transfers: readonly NftTransfer[];
  /** Failed transactions, which moved nothing. */
  readonly failedTransactions: number;
  /** Transactions and logs that are missing because they were unreadable or over the limit. */
  readonly skipped: number;
}

export interface NftTransfer extends NftMovement {
  readonly blockNumber: bigint;
  /**
   * Block time in milliseconds since the Unix epoch; undefined if the provider does not report it. Logs do
   * not.
   */
  readonly time: number | undefined;
  readonly transactionHash: Hex;
  /** Position in the block. */
  readonly logIndex: number;
}

/**
 * Limit for the transfers of one token ID, at about 500 bytes of memory each. The server decides how many
 * there are.
 */
export const MAX_TRANSFERS = 100_000;

/** The position of a transfer on the chain: its log and its index in a batch. */
export type NftTransferPlace = Pick<NftTransfer, 'blockNumber' | 'logIndex' | 'position'>;

/**
 * Orders a history: newest first.
 *
 * @example
 * transfers.toSorted(compareNftTransfers)
 */
export function compareNftTransfers(a: NftTransferPlace, b: NftTransferPlace): number {
  if (a.blockNumber !== b.blockNumber) return a.blockNumber > b.blockNumber ? -1 : 1;
  return b.logIndex - a.logIndex || b.position - a.position;
}

/**
 * Sorts transfers, newest first, and removes duplicates. A transfer is identified by transaction, log, token
 * ID and index in its batch, because a transaction can move the same ID several times. Runs in time slices.
 *
 * @example
 * await sortNftTransfers(transfers, createTimeSlices(clock)); // newest first
 */
export async function sortNftTransfers(
  transfers: readonly NftTransfer[],
  slices: TimeSlices,
): Promise<readonly NftTransfer[]> {
  const byKey = new Map<string, NftTransfer>();
  for (const transfer of transfers) {
    const { transactionHash, logIndex, tokenId, position } = transfer;
    const key = `${transactionHash} ${logIndex} ${tokenId} ${position}`;
    if (!byKey.has(key)) byKey.set(key, transfer);
    if (slices.isOver()) await slices.rest();
  }
  const distinct = [...byKey.values()];
  const at = (index: number) => distinct[index] as NftTransfer;
  const compare = (a: number, b: number) => compareNftTransfers(at(a), at(b)) || a - b;
  const order = await sortInSlices(Uint32Array.from(distinct.keys()), compare, { slices });
  return Array.from(order, at);
}

const MAX_TOKEN_ID = 2n ** 256n - 1n;

/**
 * Parses an ERC-721 or ERC-1155 token ID (uint256) from decimal digits, or from `0x` and hex digits;
 * undefined if invalid.
 *
 * @example
 * parseTokenId('0x11'); // 17n
 */
export function parseTokenId(text: unknown): bigint | undefined {
  if (typeof text !== 'string') return undefined;
  const trimmed = text.trim();
  if (!/^(?:\d{1,200}|0x[\da-f]{1,64})$/i.test(trimmed)) return undefined;
  const tokenId = BigInt(trimmed);
  return tokenId <= MAX_TOKEN_ID ? tokenId : undefined;
}

/**
 * @throws AppError `badInput` for `field` if `text` is not a token ID.
 *
 * @example
 * requireTokenId('17'); // 17n
 */
export function requireTokenId(text: unknown, field = 'tokenId'): bigint {
  const tokenId = parseTokenId(text);
  if (tokenId !== undefined) return tokenId;
  throw badInput(
    field,
    'Not a token ID. Enter a whole number up to 2^256 - 1, in decimal or as 0x and hex digits.',
  );
}
