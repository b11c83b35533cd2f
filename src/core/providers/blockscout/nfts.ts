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

/** Pages of fifty. A longer history is in the logs, which are read to their end. */
const MAX_TRANSFER_PAGES = 40;
const CACHE_TTL_MS = 15_000;
const MAX_CACHE_ENTRIES = 200;

/**
 * NFTs as an explorer knows them: metadata is what its indexer has read where the contract says that it is. A history
 * that it does not give to its end is `tooHeavy`, as the logs have all of it.
 */
export function createExplorerNfts(rest: ExplorerRest, { clock }: { readonly clock: Clock }): NftProvider {
  const cache = <T>() =>
    createExpiringCache<T>({ clock, ttlMs: CACHE_TTL_MS, maxEntries: MAX_CACHE_ENTRIES });
  const kept = {
    contracts: cache<NftContract | undefined>(),
    tokens: cache<NftToken | undefined>(),
    transfers: cache<NftTransactions>(),
  };

  async function readTransfers(
    contract: Address,
    tokenId: bigint,
    asked: UntilAborted,
  ): Promise<NftTransactions> {
    const list = createInstanceTransfersList({ contract, tokenId }, () => rest.slices());
    const { rows, skipped, reasons } = await fetchWholeList(rest, list, {
      ...asked,
      mostPages: MAX_TRANSFER_PAGES,
    });
    if (reasons.length > 0) {
      throw new AppError('tooHeavy', 'The explorer does not give this history to its end.', {
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
    nftContract: (contract, asked) =>
      kept.contracts.get(
        contract,
        async (signal) =>
          parseNftContract(await known(rest.get(`/tokens/${contract}`, {}, { signal })), contract),
        asked,
      ),
    nftToken: (contract, tokenId, asked) =>
      kept.tokens.get(
        `${contract} ${tokenId}`,
        async (signal) => {
          const path = `/tokens/${contract}/instances/${tokenId}`;
          const data = await known(rest.get(path, {}, { signal }));
          return await parseNftInstance(data, { contract, tokenId }, rest.slices());
        },
        asked,
      ),
    nftTransfers: (contract, tokenId, asked) =>
      kept.transfers.get(
        `${contract} ${tokenId}`,
        (signal) => readTransfers(contract, tokenId, { signal }),
        asked,
      ),
  };
}

/** Undefined for what the explorer does not know. */
async function known(answer: Promise<unknown>): Promise<unknown> {
  try {
    return await answer;
  } catch (error) {
    if (isAppError(error, 'notFound')) return undefined;
    throw error;
  }
}

const Item = z.object({ id: uint256Field, value: amountField, token: tokenField });

/** One token id that is held. */
export interface OwnedNft {
  readonly token: TokenFacts;
  readonly tokenId: bigint;
  readonly amount: bigint | undefined;
}

/** `/addresses/{hash}/nft`, for the ids of ERC-721 only: those of ERC-1155 stand among the balances. */
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

/** The ids by contract, each with the number that the balances count of it. */
export function toNftCollections(
  address: Address,
  { rows, skipped }: Pick<WholeList<OwnedNft>, 'rows' | 'skipped'>,
  tokens: readonly TokenBalance[],
): NftBalances {
  const counted = new Map(tokens.map(({ contract, amount }) => [contract, amount]));
  const byContract = new Map<Address, NftCollection & { readonly nfts: NftHolding[] }>();
  for (const { token, tokenId, amount } of rows) {
    const { contract, name, symbol, spam } = token;
    const held = byContract.get(contract);
    if (held) held.nfts.push({ tokenId, amount });
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

/** `/tokens/{hash}/instances/{id}/transfers` */
function createInstanceTransfersList(
  { contract, tokenId }: { readonly contract: Address; readonly tokenId: bigint },
  slices: () => TimeSlices,
): PagedList<NftTransfer> {
  return {
    name: 'transfers',
    path: `/tokens/${contract}/instances/${tokenId}/transfers`,
    query: {},
    async read(items, asked) {
      const { rows, skipped } = await parseTransferItems(items, { asked, slices: slices() });
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
  // Gone from lists in v12; an answer about one token still has it.
  token: optionalField(tokenField),
  owner: optionalField(partyField),
  metadata: z.optional(z.unknown()),
});

/**
 * What `/tokens/{hash}` tells of an NFT contract.
 *
 * @returns undefined where the explorer knows of none, or of one that is no NFT contract.
 * @throws AppError `badResponse` when it tells of another contract.
 */
function parseNftContract(data: unknown, contract: Address): NftContract | undefined {
  if (data === undefined) return undefined;
  const parsed = tokenField.safeParse(data);
  if (!parsed.success) throw unusable('no token', parsed.error);
  const facts = toTokenFacts(parsed.data);
  if (facts && facts.contract !== contract) throw unusable('another contract');
  return facts && isNft(facts) ? contractOf(facts) : undefined;
}

/**
 * What `/tokens/{hash}/instances/{id}` tells of one token.
 *
 * @returns undefined where the explorer knows of none.
 * @throws AppError `badResponse` when it tells of another one.
 */
async function parseNftInstance(
  data: unknown,
  asked: { readonly contract: Address; readonly tokenId: bigint },
  slices: TimeSlices,
): Promise<NftToken | undefined> {
  if (data === undefined) return undefined;
  const parsed = Instance.safeParse(data);
  if (!parsed.success) throw unusable('no token id', parsed.error);
  const { id, token, owner, metadata } = parsed.data;
  const facts = token && toTokenFacts(token);
  if (id !== asked.tokenId || (facts && facts.contract !== asked.contract)) throw unusable('another token');
  return {
    contract: facts ? contractOf(facts) : unknownContract(asked.contract),
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

function contractOf({ contract, standard, name, symbol, supply, spam }: TokenFacts): NftContract {
  return { contract, standard, name, symbol, supply, spam, standards: standard ? [standard] : [] };
}

function unknownContract(contract: Address): NftContract {
  const unknown = { name: undefined, symbol: undefined, standard: undefined, supply: undefined };
  return { contract, ...unknown, spam: undefined, standards: [] };
}

function unusable(what: string, cause?: unknown): AppError {
  return new AppError('badResponse', `The explorer answered with ${what}.`, { cause });
}
