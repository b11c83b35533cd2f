import { createChainClient, systemClock } from '../../../src/core/index.ts';
import { createLogFilter, type LogFilter } from '../../../src/core/logs/query/filter.ts';
import { serve } from './answers.ts';
import { below, type Chance, hashOf, pick } from './random.ts';
import type { Work } from './work.ts';

const HEAD = 3000;
/** Where all logs of the node are. */
const BLOCK = 1;
const MAX_ADDRESSES = 5000;
const MAX_TOPICS = 10_000;
const MAX_LOGS = 20_000;
/** So much a query file needs for a value, and a server for a log. */
const BYTES = { value: 75, log: 500 };

const addressOf = (index: number) => `0x${index.toString(16).padStart(40, '0')}` as const;
const list = <T>(count: number, make: (index: number) => T): readonly T[] =>
  Array.from({ length: count }, (_, index) => make(index));

/** As many values as a query may have: of addresses, of one topic, or of all. */
function makeFilter(chance: Chance, values: number): LogFilter {
  const topics = pick(chance, [0, 1, 2, 4]);
  const each = Math.max(1, Math.floor(Math.min(values, MAX_TOPICS) / Math.max(1, topics)));
  return {
    addresses: list(pick(chance, [0, 1, Math.min(values, MAX_ADDRESSES)]), addressOf),
    topics: list(topics, (place) => list(each, (index) => hashOf(index + place) as `0x${string}`)),
    fromBlock: BigInt(BLOCK),
    toBlock: BigInt(pick(chance, [BLOCK, 900, HEAD])),
  };
}

/** Logs that the filter requests, or that it just does not. */
function makeLogs(chance: Chance, { addresses, topics }: LogFilter, count: number) {
  const [isOther, isSpread] = [chance() < 0.5, chance() < 0.5];
  return list(count, (index) => ({
    address: addresses[isSpread ? index % addresses.length : 0] ?? addressOf(index),
    topics: list(4, (place) => {
      const values = topics[place];
      return values && !(isOther && place === topics.length - 1)
        ? values[values.length - 1 - (index % values.length)]
        : hashOf(index * 4 + place + 1e6);
    }),
    ...{
      data: '0x',
      blockNumber: `0x${BLOCK.toString(16)}`,
      blockHash: hashOf(BLOCK),
      transactionIndex: '0x0',
    },
    ...{ transactionHash: hashOf(1), logIndex: `0x${index.toString(16)}` },
  }));
}

/** A bloom with nearly all bits, with half of them, or with few. */
function makeBloom(chance: Chance, isDense: number): string {
  const most = pick(chance, ['fffffffe', 'ffff0f', '5a', '10']);
  return `0x${(chance() < isDense ? most : '00').repeat(256).slice(0, 512)}`;
}

export const filtersWork: readonly Work[] = [
  {
    name: 'logs and blooms of a node for a filter of thousands of values',
    most: 10 * 1024 * 1024,
    make(size, chance) {
      const filter = makeFilter(chance, Math.floor(size / BYTES.value));
      const logs = makeLogs(chance, filter, Math.min(MAX_LOGS, Math.floor(size / BYTES.log)));
      const [isShort, isDense] = [chance() < 0.5, pick(chance, [0.1, 0.9, 1])];
      const blooms = list(9, () => makeBloom(chance, isDense));
      const fetch = serve({
        results: {
          web3_clientVersion: 'Geth/v1.17.0',
          eth_chainId: '0x1',
          eth_blockNumber: `0x${HEAD.toString(16)}`,
          eth_getLogs: isShort ? logs.slice(0, below(chance, 3)) : logs,
          eth_getBlockByNumber: (tag: string) => ({
            number: tag.startsWith('0x') ? tag : `0x${HEAD.toString(16)}`,
            hash: hashOf(Number(tag) || HEAD),
            ...{ timestamp: '0x65000000', transactions: [], logsBloom: blooms[Number(tag) % blooms.length] },
          }),
        },
      });
      return { client: createChainClient({ fetch, clock: systemClock, url: 'http://127.0.0.1:1' }), filter };
    },
    async run(made) {
      const { client, filter } = made as {
        readonly client: ReturnType<typeof createChainClient>;
        readonly filter: LogFilter;
      };
      // The second query compares what the first one remembers of the node.
      const verdicts = [];
      for (let nth = 0; nth < 2; nth++) {
        const query = client.openLogQuery(createLogFilter(filter));
        for (let page = 0; page < 3 && !query.verdict?.state.startsWith('complete'); page++)
          verdicts.push((await query.nextPage()).verdict);
      }
      return verdicts;
    },
  },
];
