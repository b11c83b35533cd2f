import * as z from 'zod/mini';
import type { Clock } from '../../base/clock.ts';
import { AppError, isAppError } from '../../base/errors.ts';
import { createExpiringCache } from '../../base/expiringCache.ts';
import type { TimeSlices } from '../../base/timeSlices.ts';
import type { Address } from '../../eth/hex.ts';
import { optionalField, parseItems, uint256Field } from '../../http/fields.ts';
import { parseNftMetadata } from '../../nfts/metadata.ts';
import {
  type NftBalances,
  type NftCollection,
  type NftContract,
  type NftHolding,
  type NftProvider,
  type NftToken,
  type NftTransactions,
  type NftTransfer,
  sortNftTransfers,
} from '../../nfts/nft.ts';
import type { TokenBalance } from '../../tokens/holdings.ts';
import { explorerNftOffers } from '../provider.ts';
import { amountField, partyField, type TokenFacts, tokenField, toTokenFacts } from './fields.ts';
import { parseTransferItems } from './history.ts';
import {
  type ExplorerRest,
  fetchWholeList,
  type PagedList,
  type UntilAborted,
  type WholeList,
} from './rest.ts';

/**
 * NFTs as an explorer has indexed them; metadata is what its indexer fetched from the token URI. A history
 * that the explorer cannot return completely fails with `tooHeavy`, because the logs are complete.
 */
export function createExplorerNfts(rest: ExplorerRest, { clock }: { readonly clock: Clock }): NftProvider {
  const createCache = <T>() =>
    createExpiringCache<T>({ clock, ttlMs: CACHE_TTL_MS, maxEntries: MAX_CACHE_ENTRIES });
  const caches = {
    contracts: createCache<NftContract | undefined>(),
    tokens: createCache<NftToken | undefined>(),
    transfers: createCache<NftTransactions>(),
  };

  async function readTransfers(
    contract: Address,
    tokenId: bigint,
    options: UntilAborted,
  ): Promise<NftTransactions> {
    const list = createInstanceTransfersList({ contract, tokenId }, () => rest.slices());
    const { rows, skipped, reasons } = await fetchWholeList(rest, list, {
      ...options,
      maxPages: MAX_TRANSFER_PAGES,
    });
    if (reasons.length > 0) {
      throw new AppError('tooHeavy', 'The explorer does not return the complete history.', {
        provider: rest.label,
      });
    }
    return {
      contract: undefined,
      updatedAt: undefined,
      failedTransactions: 0,
      skipped,
      transfers: await sortNftTransfers(rows, rest.slices()),
      source: rest.label,
      readAt: rest.now(),
    };
  }

  return {
    label: rest.label,
    offers: explorerNftOffers,
    nftContract: (contract, options) =>
      caches.contracts.get(
        contract,
        async (signal) =>
          parseNftContract(await orUndefined(rest.get(`/tokens/${contract}`, {}, { signal })), contract),
        options,
      ),
    nftToken: (contract, tokenId, options) =>
      caches.tokens.get(
        `${contract} ${tokenId}`,
        async (signal) => {
          const path = `/tokens/${contract}/instances/${tokenId}`;
          const data = await orUndefined(rest.get(path, {}, { signal }));
          return await parseNftInstance(data, { contract, tokenId }, rest.slices());
        },
        options,
      ),
    nftTransfers: (contract, tokenId, options) =>
      caches.transfers.get(
        `${contract} ${tokenId}`,
        (signal) => readTransfers(contract, tokenId, { signal }),
        options,
      ),
  };
}

/** Pages of fifty. A longer history is read from logs, which are complete. */
const MAX_TRANSFER_PAGES = 40;
const CACHE_TTL_MS = 15_000;
const MAX_CACHE_ENTRIES = 200;

async function orUndefined(result: Promise<unknown>): Promise<unknown> {
  try {
    return await result;
  } catch (error) {
    if (isAppError(error, 'notFound')) return undefined;
    throw error;
  }
}

const Item = z.object({ id: uint256Field, value: amountField, token: tokenField });

export interface OwnedNft {
  readonly token: TokenFacts;
  readonly tokenId: bigint;
  readonly amount: bigint | undefined;
}

/** Route `/addresses/{hash}/nft`, for ERC-721 IDs only: ERC-1155 IDs are among the balances. */
export function createOwnedNftsList(address: Address, slices: () => TimeSlices): PagedList<OwnedNft> {
  return {
    name: 'nfts',
    path: `/addresses/${address}/nft`,
    query: { type: 'ERC-721' },
    async read(items) {
      const { read, skipped } = await parseItems(Item, items, { slices: slices() });
      const rows = read.flatMap(({ id, value, token }): OwnedNft[] => {
        const facts = toTokenFacts(token);
        return facts ? [{ token: facts, tokenId: id, amount: value ?? undefined }] : [];
      });
      return { rows, skipped: skipped + read.length - rows.length };
    },
    keyOf: ({ token, tokenId }) => `${token.contract} ${tokenId}`,
  };
}

/** Groups token IDs by contract; each collection has the number of tokens in the balances. */
export function toNftCollections(
  address: Address,
  { rows, skipped }: Pick<WholeList<OwnedNft>, 'rows' | 'skipped'>,
  tokens: readonly TokenBalance[],
): NftBalances {
  const counted = new Map(tokens.map(({ contract, amount }) => [contract, amount]));
  const byContract = new Map<Address, NftCollection & { readonly nfts: NftHolding[] }>();
  for (const { token, tokenId, amount } of rows) {
    const { contract, name, symbol, spam } = token;
    const collection = byContract.get(contract);
    if (collection) collection.nfts.push({ tokenId, amount });
    else {
      byContract.set(contract, {
        contract,
        standard: 'erc721',
        name,
        symbol,
        spam,
        lastTransferAt: undefined,
        amount: counted.get(contract),
        nfts: [{ tokenId, amount }],
      });
    }
  }
  return { address, updatedAt: undefined, collections: [...byContract.values()], skipped };
}

/** Route `/tokens/{hash}/instances/{id}/transfers`. */
function createInstanceTransfersList(
  { contract, tokenId }: { readonly contract: Address; readonly tokenId: bigint },
  slices: () => TimeSlices,
): PagedList<NftTransfer> {
  return {
    name: 'transfers',
    path: `/tokens/${contract}/instances/${tokenId}/transfers`,
    query: {},
    async read(items, cursor) {
      const { rows, skipped } = await parseTransferItems(items, { cursor, slices: slices() });
      const read = rows.flatMap((row): NftTransfer[] => {
        const { standard, amount } = row;
        if (row.contract !== contract || row.tokenId !== tokenId || amount === undefined) return [];
        if (standard !== 'erc721' && standard !== 'erc1155') return [];
        const { transactionHash, blockNumber, logIndex, position, time, from, to } = row;
        return [
          { transactionHash, blockNumber, logIndex, position, time, from, to, standard, tokenId, amount },
        ];
      });
      return { rows: read, skipped: skipped + rows.length - read.length };
    },
    keyOf: ({ transactionHash, logIndex, position }) => `${transactionHash} ${logIndex} ${position}`,
  };
}

const Instance = z.object({
  id: uint256Field,
  // Missing in lists since v12, but present in the response for one token.
  token: optionalField(tokenField),
  owner: optionalField(partyField),
  metadata: z.optional(z.unknown()),
});

/**
 * Parses `/tokens/{hash}`.
 *
 * @returns undefined if the explorer has no such contract or it is not an NFT contract.
 * @throws AppError `badResponse` for another contract.
 */
function parseNftContract(data: unknown, contract: Address): NftContract | undefined {
  if (data === undefined) return undefined;
  const parsed = tokenField.safeParse(data);
  if (!parsed.success) throw createResponseError('not a token', parsed.error);
  const facts = toTokenFacts(parsed.data);
  if (facts && facts.contract !== contract) throw createResponseError('for another contract');
  return facts && isNft(facts) ? toNftContract(facts) : undefined;
}

/**
 * Parses `/tokens/{hash}/instances/{id}`.
 *
 * @returns undefined if the explorer has no such token.
 * @throws AppError `badResponse` for another token.
 */
async function parseNftInstance(
  data: unknown,
  request: { readonly contract: Address; readonly tokenId: bigint },
  slices: TimeSlices,
): Promise<NftToken | undefined> {
  if (data === undefined) return undefined;
  const parsed = Instance.safeParse(data);
  if (!parsed.success) throw createResponseError('not a token ID', parsed.error);
  const { id, token, owner, metadata } = parsed.data;
  const facts = token && toTokenFacts(token);
  if (id !== request.tokenId || (facts && facts.contract !== request.contract))
    throw createResponseError('for another token');
  return {
    contract: facts ? toNftContract(facts) : createUnknownContract(request.contract),
    tokenId: id,
    owner,
    originalOwner: undefined,
    tokenUrl: undefined,
    noMetadataReason: undefined,
    metadata: await parseNftMetadata(metadata, { slices }),
  };
}

function isNft({ standard, type }: TokenFacts): boolean {
  return standard === 'erc721' || standard === 'erc1155' || type === 'ERC-404';
}

function toNftContract({ contract, standard, name, symbol, supply, spam }: TokenFacts): NftContract {
  return { contract, standard, name, symbol, supply, spam, standards: standard ? [standard] : [] };
}

function createUnknownContract(contract: Address): NftContract {
  const unknown = { name: undefined, symbol: undefined, standard: undefined, supply: undefined };
  return { contract, ...unknown, spam: undefined, standards: [] };
}

function createResponseError(what: string, cause?: unknown): AppError {
  return new AppError('badResponse', `The response of the explorer is ${what}.`, { cause });
}
