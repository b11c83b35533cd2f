import { toAbiWord } from '../../abi/encode.ts';
import type { Clock } from '../../base/clock.ts';
import { AppError, isAppError } from '../../base/errors.ts';
import { createExpiringCache } from '../../base/expiringCache.ts';
import { createTimeSlices } from '../../base/timeSlices.ts';
import { isLoopbackUrl } from '../../base/urls.ts';
import { createBatchedEndpoint, getRpcLabel, type RpcProviderOptions } from '../../client/endpointClient.ts';
import { type Address, type Hex, parseAddress, ZERO_ADDRESS } from '../../eth/hex.ts';
import { isPlainHttp } from '../../nfts/assetUrl.ts';
import { createAssetReader, parseDataMetadata } from '../../nfts/fetchMetadata.ts';
import type { NftContract, NftProvider, NftToken } from '../../nfts/nft.ts';
import {
  createNftContractReader,
  decodeNftContract,
  NFT_CONTRACT_CALLS,
  type NftContractResult,
} from '../../nfts/nftContractReader.ts';
import {
  type CallResult,
  type ContractCaller,
  createContractCaller,
  decodeLongText,
  decodeUint,
} from '../../rpc/ethCall.ts';
import type { RpcCallOptions } from '../../rpc/rpcClient.ts';

/**
 * NFTs read from their contracts at the latest block, without a key. Every method throws `notServed` if the
 * endpoint has no `eth_call`. Transfers are in the logs.
 *
 * @example
 * const { nftToken } = createRpcNfts({ ...http, url, chainId, key: undefined, throttle, revoked });
 * await nftToken(contract, 7n); // { owner: '0x…', metadata: { name: 'Poster #7', … }, … }
 */
export function createRpcNfts(options: RpcProviderOptions): NftProvider {
  const { url, clock, revoked } = options;
  const caller = createContractCaller(createBatchedEndpoint(options).call);
  const readContract = createNftContractReader(caller);
  const readToken = createNftTokenReader(caller, { clock, local: isLoopbackUrl(url) });
  const createCache = <T>() =>
    createExpiringCache<T>({ clock, ttlMs: CACHE_TTL_MS, maxEntries: MAX_CACHE_ENTRIES });
  const caches = {
    contracts: createCache<NftContract | undefined>(),
    tokens: createCache<NftToken | undefined>(),
  };
  const untilRevoked = (signal: AbortSignal) => AbortSignal.any([signal, revoked]);

  return {
    label: getRpcLabel(url),
    offers: { nftContract: 'free', nftToken: 'free' },
    async nftTransfers() {
      throw new AppError('notServed', 'A contract does not list its transfers. They are in its logs.');
    },
    nftContract: (contract, fetchOptions) =>
      caches.contracts.get(
        contract,
        async (signal) => requireContract(await readContract(contract, { signal: untilRevoked(signal) })),
        fetchOptions,
      ),
    nftToken: (contract, tokenId, fetchOptions) =>
      caches.tokens.get(
        `${contract} ${tokenId}`,
        (signal) => readToken({ contract, tokenId }, { signal: untilRevoked(signal) }),
        fetchOptions,
      ),
  };
}

/** Shorter than the block time of most chains. */
const CACHE_TTL_MS = 2_000;
const MAX_CACHE_ENTRIES = 50;

function requireContract(result: NftContractResult): NftContract | undefined {
  if (result.state === 'notOffered') throw noEthCallError();
  return result.state === 'known' ? result.contract : undefined;
}

interface NftTokenRequest {
  readonly contract: Address;
  readonly tokenId: bigint;
}

interface TokenReaderOptions {
  readonly clock: Clock;
  /** Whether the network runs on this machine: metadata may then be there too. */
  readonly local: boolean;
}

const TOKEN_URI = '0xc87b56dd';
const OWNER_OF = '0x6352211e';
const URI = '0x0e89341c';
/** On-chain metadata with its image has some tens of thousands of bytes. */
const MAX_URI_BYTES = 1024 * 1024;
/** Such a URI in hex, and the rest of the response. */
const MAX_URI_RESPONSE = { maxBytes: 3 * 1024 * 1024 } as const;

/**
 * Reads one token at the latest block, in one request if the server accepts batches: `tokenURI` and `ownerOf`
 * of ERC-721, `uri` of ERC-1155. Reads metadata in the URI itself; makes no other request.
 *
 * @returns a function that returns undefined if the token or the NFT contract does not exist, and throws
 *   AppError `notServed` without `eth_call`, otherwise as `call` does.
 */
function createNftTokenReader({ call }: Pick<ContractCaller, 'call'>, settings: TokenReaderOptions) {
  return async (request: NftTokenRequest, options?: RpcCallOptions): Promise<NftToken | undefined> => {
    const id = toAbiWord(request.tokenId).slice(2);
    const tokenCalls: readonly Hex[] = [`${TOKEN_URI}${id}`, `${OWNER_OF}${id}`, `${URI}${id}`];
    const limits = { ...MAX_URI_RESPONSE, ...options };
    const results = await Promise.all(
      [...NFT_CONTRACT_CALLS, ...tokenCalls].map((data) => call(request.contract, data, limits)),
    );
    const decoded = decodeNftContract(request.contract, results);
    if (decoded.state === 'notOffered') throw noEthCallError();
    if (decoded.state !== 'known') return undefined;
    const [tokenUri, owner, uri] = results.slice(NFT_CONTRACT_CALLS.length);
    const isMulti = decoded.contract.standard === 'erc1155';
    // Both calls of ERC-721 revert if the token does not exist.
    if (!isMulti && tokenUri?.state === 'nothing' && owner?.state === 'nothing') return undefined;
    return {
      contract: decoded.contract,
      tokenId: request.tokenId,
      originalOwner: undefined,
      owner: isMulti ? undefined : readOwner(owner),
      ...(await readUri(isMulti ? uri : tokenUri, decoded.contract, { ...request, ...settings })),
    };
  };
}

/** Some contracts return the metadata in the place of its URI. */
const JSON_OBJECT = /^\s*\{\s*["}]/;

type UriFacts = Pick<NftToken, 'metadata' | 'tokenUrl' | 'noMetadataReason' | 'isPlainHttp'>;

async function readUri(
  result: CallResult | undefined,
  { standard }: NftContract,
  { tokenId, local, clock }: NftTokenRequest & TokenReaderOptions,
): Promise<UriFacts> {
  const none = { tokenUrl: undefined, metadata: undefined };
  if (result?.state !== 'returned') return { ...none, noMetadataReason: 'noUri' };
  const text = decodeLongText(result.data, MAX_URI_BYTES);
  if (text?.trim() === '') return { ...none, noMetadataReason: 'noUri' };
  const context = { tokenId, standard, local };
  const uri = text !== undefined && JSON_OBJECT.test(text) ? `data:application/json,${text}` : text;
  const tokenUrl = uri === undefined ? undefined : createAssetReader(context)(uri);
  if (!tokenUrl) {
    const isHttp = uri !== undefined && isPlainHttp(uri);
    return { ...none, noMetadataReason: 'uriRefused', ...(isHttp && { isPlainHttp: true }) };
  }
  if (tokenUrl.kind !== 'data') return { tokenUrl, metadata: undefined, noMetadataReason: undefined };
  try {
    const metadata = await parseDataMetadata(tokenUrl.url, context, createTimeSlices(clock));
    return { tokenUrl, metadata, noMetadataReason: undefined };
  } catch (error) {
    if (!isAppError(error, 'badResponse', 'tooLarge')) throw error;
    return { tokenUrl, metadata: undefined, noMetadataReason: 'notMetadata' };
  }
}

function readOwner(result: CallResult | undefined): Address | undefined {
  const word = result?.state === 'returned' ? decodeUint(result.data) : undefined;
  if (word === undefined || word >> 160n !== 0n) return undefined;
  const owner = parseAddress(`0x${word.toString(16).padStart(40, '0')}`);
  return owner === ZERO_ADDRESS ? undefined : owner;
}

function noEthCallError(): AppError {
  return new AppError('notServed', 'The endpoint does not offer eth_call.');
}
