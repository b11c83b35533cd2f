import { environment } from './environment.ts';

export const nftTransferTopic0 = '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef';

/** Transfers of an ERC-721 token as the node itself tells them, newest first. */
export async function nftTransfersOnNode(contract: string, tokenId: bigint) {
  const topic3 = `0x${tokenId.toString(16).padStart(64, '0')}`;
  const filter = { address: contract, topics: [nftTransferTopic0, null, null, topic3], fromBlock: '0x0' };
  const logs = (await environment().localnet.node.call('eth_getLogs', [filter])) as {
    blockNumber: string;
    transactionHash: string;
    topics: readonly string[];
  }[];
  return logs.reverse();
}
