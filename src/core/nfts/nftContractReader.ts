import type { Address, Hex } from '../eth/hex.ts';
import { type CallResult, type ContractCaller, decodeBool, decodeText, decodeUint } from '../rpc/ethCall.ts';
import type { RpcCallOptions } from '../rpc/rpcClient.ts';
import type { NftContract } from './nft.ts';

/**
 * What an NFT contract says of itself. `notAnNft`: it does not claim ERC-721 or ERC-1155 (by ERC-165, which both
 * require). `notOffered`: the endpoint cannot be asked, as it has no `eth_call`.
 */
export type NftContractResult =
  | { readonly state: 'known'; readonly contract: NftContract }
  | { readonly state: 'notAnNft' | 'notOffered' };

/** `supportsInterface(bytes4)` of ERC-165 with the interface id of a standard. */
const claimOf = (interfaceId: string): Hex => `0x01ffc9a7${interfaceId.padEnd(64, '0')}`;

/**
 * The calls that tell what an NFT contract is, in the order that {@link decodeNftContract} takes the answers in: claims of
 * ERC-721 and ERC-1155, `name()`, `symbol()`, `totalSupply()` (by ERC721Enumerable and others that count).
 */
export const NFT_CONTRACT_CALLS: readonly Hex[] = [
  claimOf('80ac58cd'),
  claimOf('d9b67a26'),
  '0x06fdde03',
  '0x95d89b41',
  '0x18160ddd',
];

/**
 * Reads NFT contracts at the latest block, without a source and for what that does not tell.
 *
 * @returns a function that throws AppError as {@link ContractCaller.call} does.
 * @example
 * const readContract = createNftContractReader(createContractCaller(rpc.call));
 * await readContract(contract); // { state: 'known', contract: { name: 'Posters', standard: 'erc721', … } }
 */
export function createNftContractReader({ call }: Pick<ContractCaller, 'call'>) {
  return async (contract: Address, options?: RpcCallOptions): Promise<NftContractResult> => {
    const answers = NFT_CONTRACT_CALLS.map((data) => call(contract, data, options));
    return decodeNftContract(contract, await Promise.all(answers));
  };
}

/**
 * What the answers to {@link NFT_CONTRACT_CALLS} tell of `contract`.
 *
 * @example
 * decodeNftContract(contract, await Promise.all(NFT_CONTRACT_CALLS.map((data) => call(contract, data))));
 */
export function decodeNftContract(contract: Address, answers: readonly CallResult[]): NftContractResult {
  const [erc721, erc1155, name, symbol, supply] = answers;
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

function read<T>(answer: CallResult | undefined, decode: (data: Hex) => T | undefined): T | undefined {
  return answer?.state === 'returned' ? decode(answer.data) : undefined;
}

function isTrue(answer: CallResult | undefined): boolean {
  return read(answer, decodeBool) === true;
}
