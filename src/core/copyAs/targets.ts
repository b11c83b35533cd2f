import type { CopyLog, CopyNetwork, CopyQuery, CopyResult } from './copyQuery.ts';
import {
  type CopyRead,
  copyReadAsCast,
  copyReadAsEthers,
  copyReadAsFoundryTest,
  copyReadAsViem,
} from './copyRead.ts';
import { copyAsFoundryTest } from './foundryTest.ts';
import { copyAsEthers, copyAsViem } from './javascript.ts';
import { copyAsCast, copyAsCryo, copyAsCurl, copyAsHyperSync, copyAsSqdPortal } from './shell.ts';
import { copyAsBigQuery, copyAsDune } from './sql.ts';

/** Tools that a query can be copied for, in the order in which they are offered. */
export const copyQueryTargets: readonly QueryTarget[] = [
  {
    id: 'curl',
    label: 'curl',
    purpose: 'eth_getLogs, for a POSIX shell',
    copy: copyAsCurl,
  },
  { id: 'cast', label: 'cast', purpose: 'Foundry command', copy: copyAsCast },
  { id: 'viem', label: 'viem', purpose: 'Node.js program', copy: copyAsViem },
  { id: 'ethers', label: 'ethers', purpose: 'Node.js program', copy: copyAsEthers },
  {
    id: 'cryo',
    label: 'cryo',
    purpose: 'Command that writes Parquet files',
    isLarge: true,
    copy: copyAsCryo,
  },
  {
    id: 'sqd',
    label: 'SQD Portal',
    purpose: 'Streaming request with curl',
    isLarge: true,
    copy: copyAsSqdPortal,
  },
  {
    id: 'hypersync',
    label: 'HyperSync',
    purpose: 'Query with curl',
    isLarge: true,
    copy: copyAsHyperSync,
  },
  {
    id: 'dune',
    label: 'Dune',
    purpose: 'SQL for Trino',
    isLarge: true,
    wantsTimes: true,
    copy: copyAsDune,
  },
  {
    id: 'bigquery',
    label: 'BigQuery',
    purpose: 'SQL for the public dataset',
    isLarge: true,
    wantsTimes: true,
    copy: copyAsBigQuery,
  },
];

interface QueryTarget extends Target {
  /** Whether the times of the first and the last block make it cheaper to run. */
  readonly wantsTimes?: true;
  /** Whether it is made for large amounts of data, and useless for a single row. */
  readonly isLarge?: true;
  readonly copy: (query: CopyQuery) => CopyResult;
}

interface Target {
  readonly id: string;
  /** Its name, the same in every language. */
  readonly label: string;
  /** In English. */
  readonly purpose: string;
}

/** Tools that decoded logs can be copied for. */
export const copyLogsTargets: readonly LogsTarget[] = [
  {
    id: 'foundry',
    label: 'Foundry test',
    purpose: 'Test with vm.expectEmit',
    copy: copyAsFoundryTest,
  },
];

/** Tools that a read can be copied for. */
export const copyReadTargets: readonly ReadTarget[] = [
  { id: 'cast', label: 'cast', purpose: 'Foundry command', copy: copyReadAsCast },
  { id: 'viem', label: 'viem', purpose: 'Node.js program', copy: copyReadAsViem },
  { id: 'ethers', label: 'ethers', purpose: 'Node.js program', copy: copyReadAsEthers },
  {
    id: 'foundry',
    label: 'Foundry test',
    purpose: 'Test on a fork that expects the values',
    copy: copyReadAsFoundryTest,
  },
];

interface ReadTarget extends Target {
  readonly copy: (read: CopyRead) => CopyResult;
}

interface LogsTarget extends Target {
  readonly copy: (logs: readonly CopyLog[], network: CopyNetwork) => CopyResult;
}

/**
 * A query that finds one log: the same topics and contract, in its block.
 *
 * @example createQueryForLog(log).addresses.length; // 1
 */
export function createQueryForLog({ log }: Pick<CopyLog, 'log'>): CopyQuery['filter'] {
  return {
    addresses: [log.address],
    topics: log.topics.map((topic) => [topic]),
    fromBlock: log.blockNumber,
    toBlock: log.blockNumber,
  };
}
