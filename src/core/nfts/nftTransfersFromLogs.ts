import type { ChainClient } from '../chainClient.ts';
import type { Log } from '../logs/log.ts';
import { type BlockTag, createLogFilter, type LogFilter } from '../logs/logFilter.ts';
import type { RestOfLogs } from '../logs/logQuery.ts';
import type { Verdict } from '../logs/verdict.ts';
import type { Address } from '../values/address.ts';
import { lesser } from '../values/lesser.ts';
import { readNftMovements, TRANSFER, TRANSFER_BATCH, TRANSFER_SINGLE, tokenIdTopic } from './nftMovement.ts';
import type { NftTransfer } from './nftTransfer.ts';

/** Which token's history is asked for. */
export interface NftQuestion {
  readonly contract: Address;
  readonly tokenId: bigint;
  /** Where known, half of the logs need not be asked for. */
  readonly standard?: 'erc721' | 'erc1155' | undefined;
  /** Inclusive; default `earliest`. */
  readonly fromBlock?: BlockTag;
  /** Inclusive; default `latest`. */
  readonly toBlock?: BlockTag;
}

/** Transfers that one step of reading logs added. */
export interface NftTransfersPage {
  /** In the order of the chain within each standard. */
  readonly transfers: readonly NftTransfer[];
  /** Logs of this step that have the topic0 of an NFT transfer and cannot be read as one. */
  readonly skipped: number;
  /** What the answer as a whole is worth. Its `rows` are logs: those of other ids of an ERC-1155 count. */
  readonly verdict: Verdict;
}

/**
 * The history of a token id out of `eth_getLogs`: ERC-721 by topic 3, which is the id; ERC-1155 by reading every
 * transfer of the contract, as its id stands in the data. Blocks' times are not in logs.
 *
 * @throws AppError as a log query does; what was given before holds.
 */
export async function* nftTransfersFromLogs(
  chain: Pick<ChainClient, 'openLogQuery'>,
  question: NftQuestion,
  { signal, onProgress }: RestOfLogs = {},
): AsyncGenerator<NftTransfersPage> {
  const filters = transferFilters(question);
  const earlier: Verdict[] = [];
  for (const [index, filter] of filters.entries()) {
    const query = chain.openLogQuery(filter);
    const pages = query.rest({
      signal,
      onProgress: ({ blocksDone, blocks }) =>
        onProgress?.({
          blocksDone: blocksDone + blocks * BigInt(index),
          blocks: blocks * BigInt(filters.length),
        }),
    });
    for await (const { logs, verdict } of pages) {
      const unasked = filters.length - index - 1;
      yield {
        ...readTransfers(logs, question.tokenId),
        verdict: joinVerdicts([verdict, ...earlier], unasked),
      };
    }
    if (query.verdict) earlier.push(query.verdict);
  }
}

function transferFilters(question: NftQuestion): readonly LogFilter[] {
  const { contract, tokenId, standard, fromBlock = 'earliest', toBlock = 'latest' } = question;
  const filter = (topics: LogFilter['topics']) =>
    createLogFilter({ addresses: [contract], topics, fromBlock, toBlock });
  const single = filter([[TRANSFER], null, null, [tokenIdTopic(tokenId)]]);
  const multi = filter([[TRANSFER_SINGLE, TRANSFER_BATCH]]);
  if (standard === undefined) return [single, multi];
  return standard === 'erc721' ? [single] : [multi];
}

function readTransfers(logs: readonly Log[], tokenId: bigint) {
  const read = logs.map((log) => readTransfersOf(log, tokenId));
  return {
    transfers: read.flatMap((transfers) => transfers ?? []),
    skipped: read.filter((transfers) => transfers === undefined).length,
  };
}

function readTransfersOf(log: Log, tokenId: bigint): readonly NftTransfer[] | undefined {
  const { blockNumber, transactionHash, logIndex } = log;
  const of = { blockNumber, time: undefined, transactionHash, logIndex };
  return readNftMovements(log)
    ?.filter((movement) => movement.tokenId === tokenId)
    .map((movement) => ({ ...movement, ...of }));
}

/** What several queries over one range are worth together: what the least of them is. */
function joinVerdicts(verdicts: readonly [Verdict, ...Verdict[]], unasked: number): Verdict {
  const [first] = verdicts;
  const has = (state: Verdict['state']) => verdicts.some((verdict) => verdict.state === state);
  const readThroughs = verdicts.map(({ readThrough }) => readThrough);
  return {
    state: unasked > 0 || has('more') ? 'more' : has('uncertain') ? 'uncertain' : 'complete',
    reasons: verdicts.flatMap(({ reasons }) => reasons),
    fromBlock: first.fromBlock,
    toBlock: verdicts.map(({ toBlock }) => toBlock).reduce(lesser),
    head: verdicts.map(({ head }) => head).reduce(lesser),
    readThrough: unasked > 0 ? undefined : readThroughs.reduce(lesserIfKnown),
    rows: verdicts.reduce((sum, { rows }) => sum + rows, 0),
    requests: verdicts.reduce((sum, { requests }) => sum + requests, 0),
  };
}

function lesserIfKnown(a: bigint | undefined, b: bigint | undefined): bigint | undefined {
  return a === undefined || b === undefined ? undefined : lesser(a, b);
}
