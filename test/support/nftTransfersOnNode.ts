import type { Localnet } from '../../localnet/start.ts';

export const NFT_TRANSFER_TOPIC0 = '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef';

/** Transfers of an ERC-721 token by the logs of the node, newest first. */
export async function nftTransfersOnNode(
  { node }: Pick<Localnet, 'node'>,
  contract: string,
  tokenId: bigint,
) {
  const topic3 = `0x${tokenId.toString(16).padStart(64, '0')}`;
  const filter = { address: contract, topics: [NFT_TRANSFER_TOPIC0, null, null, topic3], fromBlock: '0x0' };
  const logs = (await node.call('eth_getLogs', [filter])) as {
    blockNumber: string;
    transactionHash: string;
    topics: readonly string[];
  }[];
  return logs.reverse();
}
