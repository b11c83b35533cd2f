import type { Hex } from 'ox';
import type { Reply } from '../http/recordingServer.ts';
import { readCollection } from '../tokens/collection.ts';
import { type ChainSource, readHoldings } from '../tokens/holdings.ts';
import { balancesData } from './balancesData.ts';
import { csvReply } from './csv.ts';
import type { Generation } from './keys.ts';
import { nftBalancesData } from './nftBalancesData.ts';
import { classicMetadataData, newerMetadataItem, newerMetadataItems } from './nftMetadataData.ts';
import { nftTransactionsData } from './nftTransactionsData.ts';
import { readPage } from './paging.ts';
import { readBalancesQuery, readFlag } from './query.ts';
import { Refused, success } from './refusals.ts';
import { type ServedChain, servedChains } from './servedChains.ts';
import { nanoseconds } from './times.ts';
import { tokenIdsData } from './tokenIdsData.ts';

export type Call = {
  readonly source: ChainSource;
  readonly chain: ServedChain;
  readonly generation: Generation;
  readonly params: URLSearchParams;
  /** What stands in the path for the `*` of the route, in order. */
  readonly path: readonly string[];
  readonly now: Date;
};

type Route = {
  /** What follows the chain in the path. */
  readonly pattern: string;
  /** Gone from the interface by the time of the current generation of keys. */
  readonly retired?: boolean;
  readonly answer: (call: Call) => Promise<Reply>;
};

const routes: readonly Route[] = [
  { pattern: 'address/*/balances_v2/', answer: answerBalances },
  { pattern: 'address/*/balances_nft/', answer: answerNftBalances },
  { pattern: 'tokens/*/nft_transactions/*/', answer: answerNftTransactions, retired: true },
  { pattern: 'tokens/*/nft_metadata/*/', answer: answerClassicMetadata, retired: true },
  { pattern: 'tokens/*/nft_token_ids/', answer: answerTokenIds, retired: true },
  { pattern: 'nft/*/metadata/*/', answer: answerNewerMetadata, retired: true },
  { pattern: 'nft/*/metadata/', answer: answerNewerMetadataList, retired: true },
];

/** The route of a path behind the chain, with what stands for its `*`; undefined where there is none. */
export function findRoute(path: string, generation: Generation) {
  for (const { pattern, answer, retired } of routes) {
    const match = new RegExp(`^${pattern.replaceAll('*', '([^/]+)')}$`).exec(path);
    if (match && !(retired && generation === 'current')) return { answer, path: match.slice(1) };
  }
  return undefined;
}

async function answerBalances({ source, chain, generation, params, path, now }: Call): Promise<Reply> {
  const address = readAddress(path[0]);
  const query = readBalancesQuery(params);
  const holdings = await readHoldings(source, address);
  const data = balancesData(holdings, { chain, address, generation, query, now });
  return query.format === 'CSV' ? csvReply(data.items) : success(data);
}

async function answerNftBalances({ source, chain, params, path, now }: Call): Promise<Reply> {
  const address = readAddress(path[0]);
  const noAssetMetadata = readFlag(params, 'no-nft-asset-metadata');
  requireNftCache(chain, params);
  const holdings = await readHoldings(source, address);
  return success(nftBalancesData(holdings, address, noAssetMetadata, now));
}

async function answerNftTransactions({ source, chain, generation, path, now }: Call): Promise<Reply> {
  const collection = await readCollection(source, readAddress(path[0]));
  const question = { chain, node: source.node, generation, tokenId: readTokenId(path[1]), now };
  return success(await nftTransactionsData(collection, question));
}

async function answerClassicMetadata({ source, chain, path, now }: Call): Promise<Reply> {
  const collection = await readCollection(source, readAddress(path[0]));
  return success(await classicMetadataData(collection, readTokenId(path[1]), chain, now));
}

async function answerTokenIds({ source, chain, params, path, now }: Call): Promise<Reply> {
  const collection = await readCollection(source, readAddress(path[0]));
  return success(tokenIdsData(collection, readPage(params), chain, now));
}

async function answerNewerMetadata({ source, chain, params, path, now }: Call): Promise<Reply> {
  const tokenId = readTokenId(path[1]);
  requireNftCache(chain, params);
  const collection = await readCollection(source, readAddress(path[0]));
  const noMetadata = readFlag(params, 'no-metadata');
  const items = collection?.tokens.has(tokenId)
    ? [await newerMetadataItem(collection, tokenId, noMetadata)]
    : [];
  return success({ updated_at: nanoseconds(now), items, pagination: null });
}

async function answerNewerMetadataList({ source, chain, params, path, now }: Call): Promise<Reply> {
  requireNftCache(chain, params);
  const collection = await readCollection(source, readAddress(path[0]));
  const page = readPage(params);
  const items = await newerMetadataItems(collection, page, readFlag(params, 'no-metadata'));
  const pagination = page.describe([...(collection?.tokens.keys() ?? [])]);
  return success({ updated_at: nanoseconds(now), items, pagination });
}

/** The service keeps its NFT cache for some chains, of which Palm has never been one. */
const nftCachedChains = servedChains.filter(({ name }) => !name.startsWith('palm-'));

function requireNftCache(chain: ServedChain, params: URLSearchParams): void {
  if (nftCachedChains.includes(chain) || readFlag(params, 'with-uncached')) return;
  const describe = ({ id, name }: ServedChain) => `${id}/${name}`;
  const supported = nftCachedChains.map(describe).join(' ');
  throw new Refused(400, `${describe(chain)} chain not supported, currently supports: ${supported}`);
}

function readAddress(text = ''): Hex.Hex {
  if (!/^0x[0-9a-f]{40}$/i.test(text)) throw new Refused(400, `Malformed address provided: ${text}`);
  return text.toLowerCase() as Hex.Hex;
}

function readTokenId(text = ''): bigint {
  if (!/^\d{1,78}$/.test(text)) throw new Refused(400, `Malformed token id provided: ${text}`);
  return BigInt(text);
}
