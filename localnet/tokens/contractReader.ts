import { AbiFunction, type Hex } from 'ox';
import { type NodeRpc, NodeRpcError } from '../chain/nodeRpc.ts';

/** Reads a token contract at one block. A call that it reverts, or does not know, gives undefined. */
export type ContractReader = {
  name(): Promise<string | undefined>;
  symbol(): Promise<string | undefined>;
  decimals(): Promise<number | undefined>;
  totalSupply(): Promise<bigint | undefined>;
  balanceOf(owner: Hex.Hex): Promise<bigint | undefined>;
  /** Of one ERC-1155 id. */
  balanceOfId(owner: Hex.Hex, tokenId: bigint): Promise<bigint | undefined>;
  ownerOf(tokenId: bigint): Promise<Hex.Hex | undefined>;
  /** Where the metadata of an ERC-721 token is. */
  tokenUri(tokenId: bigint): Promise<string | undefined>;
  /** Where the metadata of ERC-1155 ids is; one text with a place for the id. */
  uri(tokenId: bigint): Promise<string | undefined>;
};

const name = AbiFunction.from('function name() view returns (string)');
const symbol = AbiFunction.from('function symbol() view returns (string)');
const decimals = AbiFunction.from('function decimals() view returns (uint8)');
const totalSupply = AbiFunction.from('function totalSupply() view returns (uint256)');
const balanceOf = AbiFunction.from('function balanceOf(address) view returns (uint256)');
const balanceOfId = AbiFunction.from('function balanceOf(address,uint256) view returns (uint256)');
const ownerOf = AbiFunction.from('function ownerOf(uint256) view returns (address)');
const tokenUri = AbiFunction.from('function tokenURI(uint256) view returns (string)');
const uri = AbiFunction.from('function uri(uint256) view returns (string)');

export function createContractReader(
  node: Pick<NodeRpc, 'call'>,
  contract: Hex.Hex,
  blockNumber: number,
): ContractReader {
  const block = `0x${blockNumber.toString(16)}`;
  async function read<const F extends AbiFunction.AbiFunction>(called: F, data: Hex.Hex) {
    try {
      const result = await node.call('eth_call', [{ to: contract, data }, block]);
      return result === '0x' ? undefined : AbiFunction.decodeResult(called, result as Hex.Hex);
    } catch (error) {
      if (error instanceof NodeRpcError) return undefined;
      throw error;
    }
  }
  return {
    name: () => read(name, AbiFunction.encodeData(name)),
    symbol: () => read(symbol, AbiFunction.encodeData(symbol)),
    decimals: () => read(decimals, AbiFunction.encodeData(decimals)),
    totalSupply: () => read(totalSupply, AbiFunction.encodeData(totalSupply)),
    balanceOf: (owner) => read(balanceOf, AbiFunction.encodeData(balanceOf, [owner])),
    balanceOfId: (owner, id) => read(balanceOfId, AbiFunction.encodeData(balanceOfId, [owner, id])),
    ownerOf: (tokenId) => read(ownerOf, AbiFunction.encodeData(ownerOf, [tokenId])),
    tokenUri: (tokenId) => read(tokenUri, AbiFunction.encodeData(tokenUri, [tokenId])),
    uri: (tokenId) => read(uri, AbiFunction.encodeData(uri, [tokenId])),
  };
}
