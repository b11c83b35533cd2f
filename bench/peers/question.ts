import type { DemoChain } from '../../localnet/chain/demoChain.ts';
import type { Hex } from '../../src/core/index.ts';
import { fetchAndParse } from '../support/rawRequests.ts';

/** Transfers of a token, all or to one receiver. Every peer is asked in the way that its documents show. */
export interface Question {
  readonly what: string;
  readonly address: Hex;
  /** The indexed receiver. */
  readonly to?: Hex;
}

export const TRANSFER: Hex = '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef';

/** A log as JSON-RPC nodes write it. */
export interface NodeLog {
  readonly address: string;
  readonly blockNumber: string;
  readonly data: string;
  readonly logIndex: string;
  readonly topics: readonly string[];
  readonly transactionHash: string;
}

export function questionsOf({ contracts, accounts }: DemoChain): readonly Question[] {
  const { address } = contracts.tide;
  return [
    { what: 'all transfers of a token', address },
    { what: 'transfers to one receiver: topics [Transfer, null, receiver]', address, to: accounts.alice },
  ];
}

export function topicsOf({ to }: Question): readonly (Hex | null)[] {
  return to === undefined ? [TRANSFER] : [TRANSFER, null, `0x${to.slice(2).toLowerCase().padStart(64, '0')}`];
}

/** The right answer: every log of the contract as the node has it, the topics compared here. */
export async function answerOf(nodeUrl: string, question: Question): Promise<readonly NodeLog[]> {
  const query = { address: question.address, fromBlock: 'earliest', toBlock: 'latest' };
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'eth_getLogs', params: [query] });
  const { result } = (await fetchAndParse(nodeUrl, body)) as { readonly result: readonly NodeLog[] };
  const topics = topicsOf(question);
  return result.filter((log) =>
    topics.every((topic, place) => topic === null || topic === log.topics[place]),
  );
}
