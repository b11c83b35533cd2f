import { readLongText, readUint } from '../../abi/abiResult.ts';
import { toAbiWord } from '../../abi/abiWord.ts';
import type { Clock } from '../../base/clock.ts';
import { isAppError } from '../../base/errors.ts';
import { createTimeSlices } from '../../base/timeSlices.ts';
import { readDataMetadata } from '../../nfts/metadata/metadataJson.ts';
import { createAssetReader } from '../../nfts/metadata/tokenAssets.ts';
import type { NftContract } from '../../nfts/nftContract.ts';
import { NFT_CONTRACT_CALLS, readNftContract } from '../../nfts/nftContractReader.ts';
import type { NftToken } from '../../nfts/nftToken.ts';
import type { CallAnswer, ContractCaller } from '../../rpc/ethCall.ts';
import type { RpcCallOptions } from '../../rpc/rpcClient.ts';
import { type Address, parseAddress, ZERO_ADDRESS } from '../../values/address.ts';
import type { Hex } from '../../values/hex.ts';
import { noCalls } from './noCalls.ts';

interface AskedToken {
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
const LONGEST_URI = 1024 * 1024;
/** What such a URI takes in hex, and the rest of the answer. */
const LONGEST_ANSWER = { maxBytes: 3 * 1024 * 1024 } as const;

/**
 * Reads one token at the latest block, in one request where the server takes batches: `tokenURI` and `ownerOf` of
 * ERC-721, `uri` of ERC-1155. Metadata that stands in the URI itself is read; nobody else is asked.
 *
 * @returns a function that gives undefined where there is no such token or no NFT contract, and throws AppError
 *   `notServed` without `eth_call`, else as `call` does.
 */
export function createNftTokenReader({ call }: Pick<ContractCaller, 'call'>, reading: TokenReading) {
  return async (asked: AskedToken, options?: RpcCallOptions): Promise<NftToken | undefined> => {
    const id = toAbiWord(asked.tokenId).slice(2);
    const ofToken: readonly Hex[] = [`${TOKEN_URI}${id}`, `${OWNER_OF}${id}`, `${URI}${id}`];
    const limits = { ...LONGEST_ANSWER, ...options };
    const answers = await Promise.all(
      [...NFT_CONTRACT_CALLS, ...ofToken].map((data) => call(asked.contract, data, limits)),
    );
    const known = readNftContract(asked.contract, answers);
    if (known.state === 'notOffered') throw noCalls();
    if (known.state !== 'known') return undefined;
    const [tokenUri, owner, uri] = answers.slice(NFT_CONTRACT_CALLS.length);
    const isMulti = known.contract.standard === 'erc1155';
    // Of ERC-721 both fail for a token that there is not.
    if (!isMulti && tokenUri?.state === 'nothing' && owner?.state === 'nothing') return undefined;
    return {
      ...{ contract: known.contract, tokenId: asked.tokenId, originalOwner: undefined },
      owner: isMulti ? undefined : readOwner(owner),
      ...(await readUri(isMulti ? uri : tokenUri, known.contract, { ...asked, ...reading })),
    };
  };
}

type FromUri = Pick<NftToken, 'metadata' | 'tokenUrl' | 'whyNoMetadata'>;

async function readUri(
  answer: CallAnswer | undefined,
  { standard }: NftContract,
  { tokenId, local, clock }: AskedToken & TokenReading,
): Promise<FromUri> {
  const none = { tokenUrl: undefined, metadata: undefined };
  if (answer?.state !== 'returned') return { ...none, whyNoMetadata: 'noUri' };
  const text = readLongText(answer.data, LONGEST_URI);
  if (text?.trim() === '') return { ...none, whyNoMetadata: 'noUri' };
  const of = { tokenId, standard, local };
  const tokenUrl = text === undefined ? undefined : createAssetReader(of)(text);
  if (!tokenUrl) return { ...none, whyNoMetadata: 'uriRefused' };
  if (tokenUrl.kind !== 'data') return { tokenUrl, metadata: undefined, whyNoMetadata: undefined };
  try {
    const metadata = await readDataMetadata(tokenUrl.url, of, createTimeSlices(clock));
    return { tokenUrl, metadata, whyNoMetadata: undefined };
  } catch (error) {
    if (!isAppError(error, 'badResponse', 'tooLarge')) throw error;
    return { tokenUrl, metadata: undefined, whyNoMetadata: 'notMetadata' };
  }
}

function readOwner(answer: CallAnswer | undefined): Address | undefined {
  const word = answer?.state === 'returned' ? readUint(answer.data) : undefined;
  if (word === undefined || word >> 160n !== 0n) return undefined;
  const owner = parseAddress(`0x${word.toString(16).padStart(40, '0')}`);
  return owner === ZERO_ADDRESS ? undefined : owner;
}
