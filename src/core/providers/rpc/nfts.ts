import { toAbiWord } from '../../abi/encode.ts';
import type { Clock } from '../../base/clock.ts';
import { AppError, isAppError } from '../../base/errors.ts';
import { createExpiringCache } from '../../base/expiringCache.ts';
import { createTimeSlices } from '../../base/timeSlices.ts';
import { isLoopbackUrl } from '../../base/urls.ts';
import { createBatchedEndpoint, getRpcLabel, type RpcProviderOptions } from '../../client/endpointClient.ts';
import { type Address, type Hex, parseAddress, ZERO_ADDRESS } from '../../eth/hex.ts';
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

/** Less than the time between two blocks of most chains. */
const CACHE_TTL_MS = 2_000;
const MAX_CACHE_ENTRIES = 50;

/**
 * NFTs as their contracts tell of them at the latest block, without a key. Where the endpoint has no `eth_call` each
 * question fails with `notServed`. Transfers are in the logs.
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
  const cache = <T>() =>
    createExpiringCache<T>({ clock, ttlMs: CACHE_TTL_MS, maxEntries: MAX_CACHE_ENTRIES });
  const kept = { contracts: cache<NftContract | undefined>(), tokens: cache<NftToken | undefined>() };
  const untilRevoked = (signal: AbortSignal) => AbortSignal.any([signal, revoked]);

  return {
    label: getRpcLabel(url),
    offers: { nftContract: 'free', nftToken: 'free' },
    async nftTransfers() {
      throw new AppError('notServed', 'A contract does not tell its transfers: they are in its logs.');
    },
    nftContract: (contract, asked) =>
      kept.contracts.get(
        contract,
        async (signal) => knownOf(await readContract(contract, { signal: untilRevoked(signal) })),
        asked,
      ),
    nftToken: (contract, tokenId, asked) =>
      kept.tokens.get(
        `${contract} ${tokenId}`,
        (signal) => readToken({ contract, tokenId }, { signal: untilRevoked(signal) }),
        asked,
      ),
  };
}

function knownOf(answer: NftContractResult): NftContract | undefined {
  if (answer.state === 'notOffered') throw noEthCallError();
  return answer.state === 'known' ? answer.contract : undefined;
}

interface NftTokenRequest {
  readonly contract: Address;
  readonly tokenId: bigint;
}

interface TokenReading {
  readonly clock: Clock;
  /** Whether the network is one of this machine, so that metadata may be there as well. */
  readonly local: boolean;
}

const TOKEN_URI = '0xc87b56dd';
const OWNER_OF = '0x6352211e';
const URI = '0x0e89341c';
/** Bytes of a URI: that of metadata on chain, with its picture, has some tens of thousands. */
const MAX_URI_BYTES = 1024 * 1024;
/** What such a URI takes in hex, and the rest of the answer. */
const MAX_URI_RESPONSE = { maxBytes: 3 * 1024 * 1024 } as const;

/**
 * Reads one token at the latest block, in one request where the server takes batches: `tokenURI` and `ownerOf` of
 * ERC-721, `uri` of ERC-1155. Metadata that stands in the URI itself is read; nobody else is asked.
 *
 * @returns a function that gives undefined where there is no such token or no NFT contract, and throws AppError
 *   `notServed` without `eth_call`, else as `call` does.
 */
function createNftTokenReader({ call }: Pick<ContractCaller, 'call'>, reading: TokenReading) {
  return async (asked: NftTokenRequest, options?: RpcCallOptions): Promise<NftToken | undefined> => {
    const id = toAbiWord(asked.tokenId).slice(2);
    const ofToken: readonly Hex[] = [`${TOKEN_URI}${id}`, `${OWNER_OF}${id}`, `${URI}${id}`];
    const limits = { ...MAX_URI_RESPONSE, ...options };
    const answers = await Promise.all(
      [...NFT_CONTRACT_CALLS, ...ofToken].map((data) => call(asked.contract, data, limits)),
    );
    const known = decodeNftContract(asked.contract, answers);
    if (known.state === 'notOffered') throw noEthCallError();
    if (known.state !== 'known') return undefined;
    const [tokenUri, owner, uri] = answers.slice(NFT_CONTRACT_CALLS.length);
    const isMulti = known.contract.standard === 'erc1155';
    // Of ERC-721 both fail for a token that there is not.
    if (!isMulti && tokenUri?.state === 'nothing' && owner?.state === 'nothing') return undefined;
    return {
      contract: known.contract,
      tokenId: asked.tokenId,
      originalOwner: undefined,
      owner: isMulti ? undefined : readOwner(owner),
      ...(await readUri(isMulti ? uri : tokenUri, known.contract, { ...asked, ...reading })),
    };
  };
}

type FromUri = Pick<NftToken, 'metadata' | 'tokenUrl' | 'noMetadataReason'>;

async function readUri(
  answer: CallResult | undefined,
  { standard }: NftContract,
  { tokenId, local, clock }: NftTokenRequest & TokenReading,
): Promise<FromUri> {
  const none = { tokenUrl: undefined, metadata: undefined };
  if (answer?.state !== 'returned') return { ...none, noMetadataReason: 'noUri' };
  const text = decodeLongText(answer.data, MAX_URI_BYTES);
  if (text?.trim() === '') return { ...none, noMetadataReason: 'noUri' };
  const of = { tokenId, standard, local };
  const tokenUrl = text === undefined ? undefined : createAssetReader(of)(text);
  if (!tokenUrl) return { ...none, noMetadataReason: 'uriRefused' };
  if (tokenUrl.kind !== 'data') return { tokenUrl, metadata: undefined, noMetadataReason: undefined };
  try {
    const metadata = await parseDataMetadata(tokenUrl.url, of, createTimeSlices(clock));
    return { tokenUrl, metadata, noMetadataReason: undefined };
  } catch (error) {
    if (!isAppError(error, 'badResponse', 'tooLarge')) throw error;
    return { tokenUrl, metadata: undefined, noMetadataReason: 'notMetadata' };
  }
}

function readOwner(answer: CallResult | undefined): Address | undefined {
  const word = answer?.state === 'returned' ? decodeUint(answer.data) : undefined;
  if (word === undefined || word >> 160n !== 0n) return undefined;
  const owner = parseAddress(`0x${word.toString(16).padStart(40, '0')}`);
  return owner === ZERO_ADDRESS ? undefined : owner;
}

/** The endpoint has no `eth_call`. */
function noEthCallError(): AppError {
  return new AppError('notServed', 'The endpoint does not offer eth_call.');
}
