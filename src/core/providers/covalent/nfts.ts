import * as z from 'zod/mini';
import { AppError } from '../../base/errors.ts';
import type { Provenance } from '../../base/provenance.ts';
import type { TimeSlices } from '../../base/timeSlices.ts';
import { pushAll } from '../../base/values.ts';
import { type Address, type Hex, parseHexData } from '../../eth/hex.ts';
import {
  addressField,
  heightField,
  hexField,
  listField,
  optionalField,
  parseItems,
  textField,
  timeField,
  transactionHashField,
  uint256Field,
} from '../../http/fields.ts';
import { parseAssetUrl } from '../../nfts/assetUrl.ts';
import { parseNftMetadata } from '../../nfts/metadata.ts';
import {
  MAX_TRANSFERS,
  type NftContract,
  type NftToken,
  type NftTransactions,
  type NftTransfer,
  sortNftTransfers,
} from '../../nfts/nft.ts';
import {
  decodeNftMovements,
  decodePlainTransfer,
  findMovementOf,
  type NftMovement,
  toNftMovement,
} from '../../tokens/transferEvents.ts';
import { chainIdField, paginationField, parseTokenStandard } from './holdings.ts';

interface ContractRequest {
  readonly contract: Address;
  readonly chainId: number;
}

/**
 * Parses `data` of an `nft_metadata` response: of the classic route, where `nft_data` is an array, or of the
 * newer one (`nft/…/metadata`), where it is an object.
 *
 * @returns undefined if the server does not know the token.
 * @throws AppError `badResponse` if it is malformed, or for another contract or chain.
 */
export async function parseNftToken(
  data: unknown,
  request: ContractRequest & { readonly tokenId: bigint },
  slices: TimeSlices,
): Promise<NftToken | undefined> {
  for (const { item, facts } of parseContractData(data, request).items) {
    const nftData = NftMetadataItem.safeParse(item).data?.nft_data ?? [];
    const { read } = await parseItems(NftData, Array.isArray(nftData) ? nftData : [nftData], { slices });
    const token = read.find(({ token_id: tokenId }) => tokenId === request.tokenId);
    if (token) return await toNftToken(token, facts, slices);
  }
  return undefined;
}

async function toNftToken(
  token: z.infer<typeof NftData>,
  contract: NftContract,
  slices: TimeSlices,
): Promise<NftToken> {
  const standard = parseTokenStandard(contract.standards, token.supports_erc);
  return {
    contract: { ...contract, standard },
    tokenId: token.token_id,
    tokenUrl: token.token_url,
    owner: token.owner_address ?? token.current_owner,
    originalOwner: token.original_owner,
    metadata: await parseNftMetadata(token.external_data, { slices }),
    noMetadataReason: undefined,
  };
}

/**
 * Parses `data` of an `nft_transactions` response. Transfers are decoded from raw topics and data, because
 * the service's own decoding loses IDs (it reads an ERC-721 transfer as ERC-20) and batches; and the
 * addresses of a transaction are its sender and receiver, not those of the token.
 *
 * @throws AppError `badResponse` if it is malformed, or for another contract or chain.
 */
export async function parseNftTransactions(
  data: unknown,
  request: ContractRequest & { readonly tokenId: bigint },
  slices: TimeSlices,
): Promise<Omit<NftTransactions, keyof Provenance>> {
  const { updatedAt, items, left, hasMore } = parseContractData(data, request);
  const skipped = left + Number(hasMore);
  const collected: TransferCollection = { request, slices, transfers: [], failed: 0, skipped };
  for (const { item } of items) await collectItem(item, collected);
  return {
    contract: items[0]?.facts,
    updatedAt,
    transfers: await sortNftTransfers(collected.transfers, slices),
    failedTransactions: collected.failed,
    skipped: collected.skipped,
  };
}

/** Items that are read (ten pages), and standards of each. */
const MAX_CONTRACT_ITEMS = 1_000;
const MAX_STANDARDS = 100;

const Data = z.object({
  updated_at: optionalField(timeField),
  chain_id: optionalField(chainIdField),
  items: z.nullable(listField),
  pagination: paginationField,
});

const ContractItem = z.object({
  contract_address: addressField,
  contract_name: optionalField(textField),
  contract_ticker_symbol: optionalField(textField),
  supports_erc: optionalField(listField),
  is_spam: optionalField(z.boolean()),
});

/**
 * Parses `data` of a response about one NFT contract: its time, its first thousand items with the contract's
 * facts, and the number of items left out.
 *
 * @throws AppError `badResponse` for another shape, contract or chain.
 */
export function parseContractData(data: unknown, request: ContractRequest) {
  const parsed = Data.safeParse(data ?? { items: null });
  if (!parsed.success) {
    throw new AppError('badResponse', 'The response of the data API has no list of items.', {
      cause: parsed.error,
    });
  }
  const { updated_at: updatedAt, chain_id: chainId, items, pagination } = parsed.data;
  if ((chainId ?? request.chainId) !== request.chainId) {
    throw new AppError('badResponse', 'The response of the data API is for another chain.');
  }
  // One contract is one item; a page of token IDs repeats it for each ID.
  const read = (items ?? []).slice(0, MAX_CONTRACT_ITEMS);
  return {
    updatedAt,
    items: read.map((item) => ({ item, facts: parseContract(item, request) })),
    left: (items?.length ?? 0) - read.length,
    hasMore: pagination?.has_more === true,
  };
}

function parseContract(item: unknown, request: ContractRequest): NftContract {
  const parsed = ContractItem.safeParse(item);
  if (!parsed.success) {
    throw new AppError('badResponse', 'The response of the data API does not name its contract.', {
      cause: parsed.error,
    });
  }
  if (parsed.data.contract_address !== request.contract) {
    throw new AppError('badResponse', 'The response of the data API is for another contract.');
  }
  const claimed = parsed.data.supports_erc ?? [];
  return {
    contract: request.contract,
    name: parsed.data.contract_name,
    symbol: parsed.data.contract_ticker_symbol,
    standards: claimed.slice(0, MAX_STANDARDS).filter(isStandardName),
    standard: parseTokenStandard(claimed),
    supply: undefined,
    spam: parsed.data.is_spam,
  };
}

function isStandardName(text: unknown): text is string {
  return typeof text === 'string' && /^erc\d{1,5}$/.test(text);
}

const urlField = optionalField(
  z.pipe(
    z.string(),
    z.transform((text) => parseAssetUrl(text)),
  ),
);

const NftData = z.object({
  token_id: uint256Field,
  token_url: urlField,
  supports_erc: optionalField(listField),
  original_owner: optionalField(addressField),
  // `owner_address` in the classic response, `current_owner` in the newer one.
  owner_address: optionalField(addressField),
  current_owner: optionalField(addressField),
  external_data: z.optional(z.unknown()),
});

const NftMetadataItem = z.object({
  nft_data: z.union([listField, z.nullish(z.record(z.string(), z.unknown()))]),
});

const NftTransactionsItem = z.object({ nft_transactions: z.nullish(listField) });

const Transaction = z.object({
  block_height: heightField,
  block_signed_at: optionalField(timeField),
  tx_hash: transactionHashField,
  successful: optionalField(z.boolean()),
  log_events: z.nullish(listField),
});
type Transaction = z.infer<typeof Transaction>;

const Sender = z.object({ sender_address: addressField });
const topicsField = z.pipe(
  listField.check(z.refine((topics) => topics.length <= 4 && topics.every(isTopic))),
  z.transform((topics) => topics.map((topic) => parseHexData(topic, 32) as Hex)),
);
const LogEvent = z.object({
  log_offset: z.int().check(z.nonnegative()),
  raw_log_topics: topicsField,
  // Null for a log without data, such as an ERC-721 transfer.
  raw_log_data: z.nullish(hexField()),
});

interface TransferCollection {
  readonly request: NftTransactionsRequest;
  readonly slices: TimeSlices;
  readonly transfers: NftTransfer[];
  failed: number;
  skipped: number;
}

function isTopic(value: unknown): boolean {
  return parseHexData(value, 32) !== undefined;
}

type NftTransactionsRequest = Parameters<typeof parseNftTransactions>[1];

async function collectItem(item: unknown, collected: TransferCollection): Promise<void> {
  const parsed = NftTransactionsItem.safeParse(item);
  if (!parsed.success) {
    collected.skipped++;
    return;
  }
  const { read, skipped } = await parseItems(Transaction, parsed.data.nft_transactions ?? [], {
    slices: collected.slices,
    most: MAX_TRANSFERS,
  });
  collected.skipped += skipped;
  for (const transaction of read) {
    if (transaction.successful === false) collected.failed++;
    else await collectTransaction(transaction, collected);
  }
}

async function collectTransaction(transaction: Transaction, collected: TransferCollection): Promise<void> {
  const { request, slices } = collected;
  for (const event of transaction.log_events ?? []) {
    if (slices.isOver()) await slices.rest();
    const sender = Sender.safeParse(event);
    if (sender.success && sender.data.sender_address !== request.contract) continue;
    const moved = sender.success ? decodeLogEvent(event, transaction, request) : undefined;
    if (moved && collected.transfers.length + moved.length <= MAX_TRANSFERS)
      pushAll(collected.transfers, moved);
    else collected.skipped++;
  }
}

/** The transfers of the token in a log; undefined if it is malformed. */
function decodeLogEvent(
  event: unknown,
  transaction: Transaction,
  { tokenId }: NftTransactionsRequest,
): readonly NftTransfer[] | undefined {
  const log = LogEvent.safeParse(event);
  if (!log.success) return undefined;
  const { raw_log_topics: topics, raw_log_data, log_offset: logIndex } = log.data;
  const data = raw_log_data ?? '0x';
  const plain = decodePlainTransfer({ topics, data });
  // The service reports an NFT contract, so a number that is not indexed is an ID, as CryptoKitties emits it.
  const movements: readonly NftMovement[] | undefined =
    plain && !plain.isValueIndexed ? [toNftMovement(plain)] : decodeNftMovements({ topics, data });
  return movements
    ?.map((movement) => findMovementOf(movement, tokenId))
    .filter((movement) => movement !== undefined)
    .map((movement) => ({
      ...movement,
      blockNumber: transaction.block_height,
      time: transaction.block_signed_at,
      transactionHash: transaction.tx_hash,
      logIndex,
    }));
}
