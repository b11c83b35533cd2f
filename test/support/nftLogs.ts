import {
  AppError,
  type ChainClient,
  createVerdict,
  type Hex,
  type Log,
  type LogFilter,
  type LogPage,
  systemClock,
  type Verdict,
} from '../../src/core/index.ts';
import type { NftHistoryRequest } from '../../src/core/nfts/nftTransferQueries.ts';

export const CONTRACT = '0xc0de721000000000000000000000000000000721';
/** topic0 of the transfer events. */
export const [TRANSFER, SINGLE, BATCH, CONSECUTIVE] = [
  '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef',
  '0xc3d58168c5ae7397731d063d5bbf3d657854427343f4c083240f7aacaa2d0f62',
  '0x4a39dc06d4c0dbc64b70af90fd698a233a518aa5d07e595d983b8c0526c8f7fb',
  '0xdeaa91b6123d068f5821d0fb0678463d1a8a6079fe8af5de3ce5e896dcf9133d',
] as const;
export const word = (value: number) => value.toString(16).padStart(64, '0');
export const topic = (value: number): Hex => `0x${word(value)}`;

/** A log of the contract, at one place of its block. */
export function log(blockNumber: number, topics: readonly Hex[], data: Hex = '0x'): Log {
  const hash = topic(blockNumber);
  return {
    ...{ address: CONTRACT, topics, data, blockHash: hash, blockNumber: BigInt(blockNumber), logIndex: 3 },
    ...{ transactionHash: hash, transactionIndex: 0 },
  };
}
/** Token 17 of ERC-721 moves. */
export const badgeMoved = (block: number) => log(block, [TRANSFER, topic(1), topic(2), topic(17)]);
/** Five of an ERC-1155 id move. */
export const itemMoved = (block: number, id: number) =>
  log(block, [SINGLE, topic(9), topic(1), topic(2)], `0x${word(id)}${word(5)}`);

/** In one log. */
const MAX_IDS = 8000;
/** Logs of one block, with so many transfers of token 17. */
export function batchesMoved(block: number, transfers: number): readonly Log[] {
  return Array.from({ length: Math.ceil(transfers / MAX_IDS) }, (_, nth) => {
    const ids = Math.min(MAX_IDS, transfers - nth * MAX_IDS);
    const list = `${word(ids)}${word(17).repeat(ids)}`;
    const data: Hex = `0x${word(64)}${word(64 + 32 + 32 * ids)}${list}${list}`;
    return log(block, [BATCH, topic(9), topic(1), topic(2)], data);
  });
}

export const completeVerdict = createVerdict({
  ...{ isRead: true, reasons: [], order: 'oldestFirst', rows: 10, requests: 2 },
  ...{ fromBlock: 0n, toBlock: 90n, head: 90n, readThrough: 90n },
});
export const moreVerdict: Verdict = {
  ...completeVerdict,
  ...{ state: 'more', readThrough: 40n, rows: 4, requests: 1 },
};

/**
 * A chain whose log queries give these pages, one list for each query in turn; an error ends the query it is in. A query
 * for the same logs again gives the same ones.
 */
export function chainOf(...answers: readonly (readonly (LogPage | AppError)[])[]) {
  const filters: LogFilter[] = [];
  const openLogQuery: ChainClient['openLogQuery'] = (filter) => {
    const topics = JSON.stringify(filter.topics);
    const before = filters.findIndex((other) => JSON.stringify(other.topics) === topics);
    const pages = answers[before < 0 ? filters.push(filter) - 1 : before] ?? [];
    let verdict: Verdict | undefined;
    return {
      get verdict() {
        return verdict;
      },
      nextPage: () => Promise.reject(new Error('not asked for')),
      async *rest({ onProgress } = {}) {
        for (const page of pages) {
          if (page instanceof AppError) throw page;
          verdict = page.verdict;
          onProgress?.({ blocksDone: 91n, blocks: 91n });
          yield page;
        }
      },
    };
  };
  return { openLogQuery, filters };
}

export async function collectAll<T>(steps: AsyncIterable<T>): Promise<readonly T[]> {
  const given: T[] = [];
  for await (const step of steps) given.push(step);
  return given;
}

export const clock = systemClock;
export const nftRequest: NftHistoryRequest = { contract: CONTRACT, tokenId: 17n };
