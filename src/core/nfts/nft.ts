import { badInput } from '../base/errors.ts';
import type { FetchOptions, Offers, Provenance, ProviderLabel } from '../base/provenance.ts';
import { sortInSlices, type TimeSlices } from '../base/timeSlices.ts';
import type { Address, Hex } from '../eth/hex.ts';
import type { NftMovement, TokenStandard } from '../tokens/transferEvents.ts';
import type { AssetUrl } from './assetUrl.ts';

/** One token of an NFT contract. `undefined` means that the source does not tell. */
export interface NftToken {
  readonly contract: NftContract;
  readonly tokenId: bigint;
  /** Where the contract says that the metadata is. */
  readonly tokenUrl: AssetUrl | undefined;
  readonly owner: Address | undefined;
  readonly originalOwner: Address | undefined;
  /** Undefined where the source has not read the token's metadata. */
  readonly metadata: NftMetadata | undefined;
  /**
   * Why the contract leads to no metadata: it has no URI for the token, one that may not be asked for, or one that has
   * something else in it. Undefined where it does, or where that is not known.
   */
  readonly noMetadataReason: 'noUri' | 'notMetadata' | 'uriRefused' | undefined;
}

/** What the metadata of a token says: text from outside the chain even, plain and bounded. */
export interface NftMetadata {
  readonly name: string | undefined;
  readonly description: string | undefined;
  /** A picture, the one of about 512 pixels where there are several. Nothing has been fetched. */
  readonly image: AssetUrl | undefined;
  readonly animation: AssetUrl | undefined;
  readonly externalUrl: AssetUrl | undefined;
  readonly attributes: readonly NftAttribute[];
  /** Attributes that could not be read or went over the bound, and are missing here. */
  readonly attributesSkipped: number;
}

export interface NftAttribute {
  readonly trait: string | undefined;
  readonly value: string;
  /** How the value is meant, such as `date` (seconds since the Unix epoch) or `boost_percentage`. */
  readonly display: string | undefined;
}

/** An NFT contract, as far as the source knows it; `undefined` means that it does not say. */
export interface NftContract {
  readonly contract: Address;
  /** Text chosen by whoever deployed the contract: plain and bounded, still not to be read as markup. */
  readonly name: string | undefined;
  readonly symbol: string | undefined;
  /** Everything that the contract is said to support, such as `erc165` and `erc721`; `erc20` proves nothing. */
  readonly standards: readonly string[];
  /** What {@link standards} comes down to. */
  readonly standard: TokenStandard | undefined;
  /** How many tokens there are, by contracts that count them. */
  readonly supply: bigint | undefined;
  /** Told for a few chains only; elsewhere `false` proves nothing. */
  readonly spam: boolean | undefined;
}

/** The NFTs of an address by collection, as a source tells them. */
export interface NftBalances {
  readonly address: Address;
  /** When the source last looked at the chain, in milliseconds since the Unix epoch. */
  readonly updatedAt: number | undefined;
  readonly collections: readonly NftCollection[];
  /** Entries of the answer that could not be read or went over the bound, and are missing here. */
  readonly skipped: number;
}

/** One NFT contract of which an address holds tokens. `undefined` means that the source does not tell. */
export interface NftCollection {
  readonly contract: Address;
  readonly standard: TokenStandard | undefined;
  /** Text chosen by whoever deployed the contract: plain and bounded, still not to be read as markup. */
  readonly name: string | undefined;
  readonly symbol: string | undefined;
  /** How many tokens are held. */
  readonly amount: bigint | undefined;
  readonly spam: boolean | undefined;
  /** In milliseconds since the Unix epoch. */
  readonly lastTransferAt: number | undefined;
  readonly nfts: readonly NftHolding[] | undefined;
}

/** One NFT, or some copies of one ERC-1155 id, held by an address. */
export interface NftHolding {
  readonly tokenId: bigint;
  /** Copies held; undefined where the answer does not tell. */
  readonly amount: bigint | undefined;
}

/** The questions of {@link NftProvider}. */
export type NftMethod = 'nftContract' | 'nftToken' | 'nftTransfers';

/**
 * Who tells of NFT contracts and tokens on one chain. Answers are shared and kept for a moment, as those of a
 * `HoldingsProvider` are.
 *
 * @throws AppError, each question, of any network kind, and of `creditsUsedUp`, `forbidden`, `notServed`, `tooHeavy`,
 *   `unauthorized`; `aborted` when the signal fires or the key is taken away.
 */
export interface NftProvider {
  readonly label: ProviderLabel;
  readonly offers: Offers<NftMethod>;
  /** The history of one token id. */
  nftTransfers(contract: Address, tokenId: bigint, options?: FetchOptions): Promise<NftTransactions>;
  /** An NFT contract; undefined where the source knows none of its tokens. */
  nftContract(contract: Address, options?: FetchOptions): Promise<NftContract | undefined>;
  /** One token with its metadata; undefined where the source knows no such token. */
  nftToken(contract: Address, tokenId: bigint, options?: FetchOptions): Promise<NftToken | undefined>;
}

/** The transfer history of one token id, as a source tells it. */
export interface NftTransactions extends Provenance {
  /** What the answer says of the contract; undefined where it has no item. */
  readonly contract: NftContract | undefined;
  /** When the source last looked at the chain, in milliseconds since the Unix epoch. */
  readonly updatedAt: number | undefined;
  /** Newest first, none twice. */
  readonly transfers: readonly NftTransfer[];
  /** Transactions that failed, and so moved nothing. */
  readonly failedTransactions: number;
  /** Transactions and logs of the answer that could not be read or went over the bound: transfers may be missing. */
  readonly skipped: number;
}

/** One entry in the history of a token id. */
export interface NftTransfer extends NftMovement {
  readonly blockNumber: bigint;
  /** Of the block, in milliseconds since the Unix epoch; undefined where the source does not tell, as logs do not. */
  readonly time: number | undefined;
  readonly transactionHash: Hex;
  /** Position of the log in the block. */
  readonly logIndex: number;
}

/**
 * Transfers of one token id that are given. Whoever shows them keeps them all, at some 500 bytes each; the server says
 * how many there are.
 */
export const MAX_TRANSFERS = 100_000;

/** Where on the chain a transfer is: its log, and its place in a batch. */
export type NftTransferPlace = Pick<NftTransfer, 'blockNumber' | 'logIndex' | 'position'>;

/**
 * Newest first, the order of a history.
 *
 * @example
 * transfers.toSorted(compareNftTransfers)
 */
export function compareNftTransfers(a: NftTransferPlace, b: NftTransferPlace): number {
  if (a.blockNumber !== b.blockNumber) return a.blockNumber > b.blockNumber ? -1 : 1;
  return b.logIndex - a.logIndex || b.position - a.position;
}

/**
 * The transfers newest first, with none told twice. One is known by transaction, log, id and place in its batch, since
 * a transaction can move one id several times. In slices of time.
 * @example
 * await sortNftTransfers(transfers, createTimeSlices(clock)); // newest first
 */
export async function sortNftTransfers(
  transfers: readonly NftTransfer[],
  slices: TimeSlices,
): Promise<readonly NftTransfer[]> {
  const known = new Map<string, NftTransfer>();
  for (const transfer of transfers) {
    const { transactionHash, logIndex, tokenId, position } = transfer;
    const name = `${transactionHash} ${logIndex} ${tokenId} ${position}`;
    if (!known.has(name)) known.set(name, transfer);
    if (slices.isOver()) await slices.rest();
  }
  const distinct = [...known.values()];
  const at = (index: number) => distinct[index] as NftTransfer;
  const compare = (a: number, b: number) => compareNftTransfers(at(a), at(b)) || a - b;
  const order = await sortInSlices(Uint32Array.from(distinct.keys()), compare, { slices });
  return Array.from(order, at);
}

const MAX_TOKEN_ID = 2n ** 256n - 1n;

/**
 * A token id of ERC-721 or ERC-1155 (uint256), from decimal digits or `0x` and hex digits; undefined if it is none.
 *
 * @example
 * parseTokenId('0x11'); // 17n
 */
export function parseTokenId(text: unknown): bigint | undefined {
  if (typeof text !== 'string') return undefined;
  const written = text.trim();
  if (!/^(?:\d{1,200}|0x[\da-f]{1,64})$/i.test(written)) return undefined;
  const tokenId = BigInt(written);
  return tokenId <= MAX_TOKEN_ID ? tokenId : undefined;
}

/**
 * @throws AppError `badInput` for `field` if `text` is no token id.
 *
 * @example
 * requireTokenId('17'); // 17n
 */
export function requireTokenId(text: unknown, field = 'tokenId'): bigint {
  const tokenId = parseTokenId(text);
  if (tokenId !== undefined) return tokenId;
  throw badInput(
    field,
    'Not a token id: expected a whole number up to 2^256 - 1, decimal or 0x and hex digits.',
    { code: 'notTokenId' },
  );
}
