import { createVerdict, type Log, type Network, type Verdict } from '../../src/core/index.ts';
import type { VerdictBasis } from '../../src/core/logs/query/verdict.ts';
import type { RowTimes } from '../../src/features/logs/decoded/rowReader.ts';
import type { TimesState } from '../../src/host/blockTimes.ts';
import type { Language, Localizer } from '../../src/host/l10n.ts';

/** English as it is written in the program. */
export const l10n: Localizer = {
  t: (message, ...values) => message.replaceAll(/\{(\d+)\}/g, (_, index) => String(values[Number(index)])),
};

export const english: Language = { l10n, locale: 'en' };

/** A network of a chain, whose endpoint nobody is to ask. */
export function anyNetwork(chainId: number, more: Partial<Network> = {}): Network {
  const rpcUrl = 'http://127.0.0.1:1/api/eth-rpc';
  return { id: 'test', name: 'Test', chainId, rpcUrl, symbol: 'ETH', decimals: 18, ...more };
}

/** The verdict on blocks 0 to `toBlock`, which are read and the last ones, with what a test changes in it. */
export function verdictOf({ toBlock = 9n, ...more }: Partial<VerdictBasis> = {}): Verdict {
  return createVerdict({
    ...{ isRead: true, reasons: [], fromBlock: 0n, toBlock, head: toBlock, order: 'oldestFirst' },
    ...{ readThrough: toBlock, rows: 0, requests: 1 },
    ...more,
  });
}

/** A log without topics and data, with what a test changes in it. */
export function bareLog(more: Partial<Log> = {}): Log {
  const hash = `0x${'22'.repeat(32)}` as const;
  return {
    ...{ address: `0x${'11'.repeat(20)}`, topics: [], data: '0x', blockNumber: 1n, blockHash: hash },
    ...{ logIndex: 0, transactionHash: hash, transactionIndex: 0 },
    ...more,
  };
}

/** A log of a block as a node sends it. */
export const wireLog = (block: number, more: object = {}) => ({
  ...{ address: `0x${'5f'.repeat(20)}`, data: '0xaa', topics: [`0x${'ab'.repeat(32)}`], removed: false },
  ...{ blockHash: `0x${block.toString(16).padStart(64, '0')}`, blockNumber: `0x${block.toString(16)}` },
  ...{ logIndex: '0x0', transactionIndex: '0x0', transactionHash: `0x${'22'.repeat(32)}` },
  ...more,
});

/** Times of rows by their blocks, in milliseconds. */
export function rowTimes(
  times: ReadonlyMap<bigint, number> = new Map(),
  state: TimesState = 'asked',
): RowTimes {
  return {
    state,
    timeOf: ({ time, blockNumber }) => time ?? times.get(blockNumber),
    format: (time) => ({ text: `at ${time}`, hint: `exactly ${time}` }),
  };
}
