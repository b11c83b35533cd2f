import type { Address, Hex } from '../eth/hex.ts';
import {
  type CallResult,
  type ContractCaller,
  decodeBool,
  decodeText,
  decodeUint,
  encodeSupportsInterface,
} from '../rpc/ethCall.ts';
import type { RpcCallOptions } from '../rpc/rpcClient.ts';
import type { NftContract } from './nft.ts';

/**
 * Reads NFT contracts by calls at the latest block: the fallback if no provider has them.
 *
 * @returns a function that throws AppError as {@link ContractCaller.call} does.
 * @example
 * const readContract = createNftContractReader(createContractCaller(rpc.call));
 * await readContract(contract); // { state: 'known', contract: { name: 'Posters', standard: 'erc721', … } }
 */
export function createNftContractReader({ call }: Pick<ContractCaller, 'call'>) {
  return async (contract: Address, options?: RpcCallOptions): Promise<NftContractResult> => {
    const calls = NFT_CONTRACT_CALLS.map((data) => call(contract, data, options));
    return decodeNftContract(contract, await Promise.all(calls));
  };
}

/**
 * What an NFT contract returns about itself. `notAnNft`: it does not claim ERC-721 or ERC-1155 by ERC-165,
 * which both require. `notOffered`: the endpoint does not serve `eth_call`.
 */
export type NftContractResult =
  | { readonly state: 'known'; readonly contract: NftContract }
  | { readonly state: 'notAnNft' | 'notOffered' };

/**
 * Decodes the results of {@link NFT_CONTRACT_CALLS}.
 *
 * @example
 * decodeNftContract(contract, await Promise.all(NFT_CONTRACT_CALLS.map((data) => call(contract, data))));
 */
export function decodeNftContract(contract: Address, results: readonly CallResult[]): NftContractResult {
  const [erc721, erc1155, name, symbol, supply] = results;
  if (erc721?.state === 'notOffered') return { state: 'notOffered' };
  const standard = isTrue(erc1155) ? 'erc1155' : isTrue(erc721) ? 'erc721' : undefined;
  if (standard === undefined) return { state: 'notAnNft' };
  const facts = {
    name: read(name, decodeText),
    symbol: read(symbol, decodeText),
    supply: read(supply, decodeUint),
  };
  const standards = ['erc165', standard];
  return { state: 'known', contract: { contract, ...facts, standards, standard, spam: undefined } };
}

/**
 * The calls that identify an NFT contract, in the order of {@link decodeNftContract}'s results: claims of
 * ERC-721 and ERC-1155, `name()`, `symbol()`, `totalSupply()` (ERC721Enumerable and others that count).
 */
export const NFT_CONTRACT_CALLS: readonly Hex[] = [
  encodeSupportsInterface('80ac58cd'),
  encodeSupportsInterface('d9b67a26'),
  '0x06fdde03',
  '0x95d89b41',
  '0x18160ddd',
];

function read<T>(result: CallResult | undefined, decode: (data: Hex) => T | undefined): T | undefined {
  return result?.state === 'returned' ? decode(result.data) : undefined;
}

function isTrue(result: CallResult | undefined): boolean {
  return read(result, decodeBool) === true;
}
