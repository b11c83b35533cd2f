import { readBool, readText, readUint } from '../abi/abiResult.ts';
import type { ContractCaller } from '../rpc/ethCall.ts';
import type { RpcCallOptions } from '../rpc/rpcClient.ts';
import type { Address } from '../values/address.ts';
import type { Hex } from '../values/hex.ts';
import type { NftContract } from './nftContract.ts';

/**
 * What an NFT contract says of itself. `notAnNft`: it does not claim ERC-721 or ERC-1155 (by ERC-165, which both
 * require). `notOffered`: the endpoint cannot be asked, as it has no `eth_call`.
 */
export type NftContractOnChain =
  | { readonly state: 'known'; readonly contract: NftContract }
  | { readonly state: 'notAnNft' | 'notOffered' };

/** `name()`, `symbol()`, `totalSupply()` (the latter by ERC721Enumerable and others that count). */
const NAME = '0x06fdde03';
const SYMBOL = '0x95d89b41';
const TOTAL_SUPPLY = '0x18160ddd';
/** `supportsInterface(bytes4)` of ERC-165, asked for each of the standards' interface ids. */
const SUPPORTS_INTERFACE = '0x01ffc9a7';
const INTERFACES = { erc721: '80ac58cd', erc1155: 'd9b67a26' } as const;

/**
 * Reads NFT contracts at the latest block, without a source and for what that does not tell.
 *
 * @returns a function that throws AppError as {@link ContractCaller.call} does.
 * @example
 * const readContract = createNftContractReader(createContractCaller(rpc));
 * await readContract(contract); // { state: 'known', contract: { name: 'Posters', standard: 'erc721', … } }
 */
export function createNftContractReader({ call }: ContractCaller) {
  async function read<T>(
    contract: Address,
    { selector, decode }: { readonly selector: Hex; readonly decode: (data: Hex) => T | undefined },
    options: RpcCallOptions | undefined,
  ): Promise<T | undefined> {
    const answer = await call(contract, selector, options);
    return answer.state === 'returned' ? decode(answer.data) : undefined;
  }

  const claims = (contract: Address, name: keyof typeof INTERFACES, options: RpcCallOptions | undefined) =>
    call(contract, `${SUPPORTS_INTERFACE}${INTERFACES[name].padEnd(64, '0')}`, options);

  return async (contract: Address, options?: RpcCallOptions): Promise<NftContractOnChain> => {
    const erc721 = await claims(contract, 'erc721', options);
    if (erc721.state === 'notOffered') return { state: 'notOffered' };
    const erc1155 = await claims(contract, 'erc1155', options);
    const standard = isTrue(erc1155) ? 'erc1155' : isTrue(erc721) ? 'erc721' : undefined;
    if (standard === undefined) return { state: 'notAnNft' };
    const [name, symbol, supply] = await Promise.all([
      read(contract, { selector: NAME, decode: readText }, options),
      read(contract, { selector: SYMBOL, decode: readText }, options),
      read(contract, { selector: TOTAL_SUPPLY, decode: readUint }, options),
    ]);
    const standards = ['erc165', standard];
    return {
      state: 'known',
      contract: { contract, name, symbol, standards, standard, supply, spam: undefined },
    };
  };
}

function isTrue(answer: Awaited<ReturnType<ContractCaller['call']>>): boolean {
  return answer.state === 'returned' && readBool(answer.data) === true;
}
