import type { CopyLog, CopyNetwork, CopyQuery, CopyResult } from './copyQuery.ts';
import { copyAsFoundryTest } from './foundryTest.ts';
import { copyAsEthers, copyAsViem } from './javascript.ts';
import { copyAsCast, copyAsCryo, copyAsCurl, copyAsHyperSync, copyAsSqdPortal } from './shell.ts';
import { copyAsBigQuery, copyAsDune } from './sql.ts';

/** Tools that a query can be copied for, in the order in which they are offered. */
export const copyQueryTargets: readonly QueryTarget[] = [
  {
    id: 'curl',
    label: 'curl',
    purpose: (l10n) => l10n.t('eth_getLogs, for a POSIX shell'),
    hand: copyAsCurl,
  },
  { id: 'cast', label: 'cast', purpose: (l10n) => l10n.t('Command of Foundry'), hand: copyAsCast },
  { id: 'viem', label: 'viem', purpose: (l10n) => l10n.t('Program for Node'), hand: copyAsViem },
  { id: 'ethers', label: 'ethers', purpose: (l10n) => l10n.t('Program for Node'), hand: copyAsEthers },
  {
    id: 'cryo',
    label: 'cryo',
    purpose: (l10n) => l10n.t('Command that writes Parquet files'),
    isLarge: true,
    hand: copyAsCryo,
  },
  {
    id: 'sqd',
    label: 'SQD Portal',
    purpose: (l10n) => l10n.t('Stream request, with curl'),
    isLarge: true,
    hand: copyAsSqdPortal,
  },
  {
    id: 'hypersync',
    label: 'HyperSync',
    purpose: (l10n) => l10n.t('Query, with curl'),
    isLarge: true,
    hand: copyAsHyperSync,
  },
  {
    id: 'dune',
    label: 'Dune',
    purpose: (l10n) => l10n.t('SQL of Trino'),
    isLarge: true,
    wantsTimes: true,
    hand: copyAsDune,
  },
  {
    id: 'bigquery',
    label: 'BigQuery',
    purpose: (l10n) => l10n.t('SQL for the public data set'),
    isLarge: true,
    wantsTimes: true,
    hand: copyAsBigQuery,
  },
];

interface QueryTarget extends Target {
  /** Whether the times of the first and the last block make it cheaper to run. */
  readonly wantsTimes?: true;
  /** Whether it is made for large amounts of data, and of no use for a single row. */
  readonly isLarge?: true;
  readonly hand: (query: CopyQuery) => CopyResult;
}

interface Target {
  readonly id: string;
  /** Its name, the same in every language. */
  readonly label: string;
  readonly purpose: (l10n: Localizer) => string;
}

/** Translates an English message. */
interface Localizer {
  t(message: string): string;
}

/** Tools that decoded logs can be copied for. */
export const copyLogsTargets: readonly LogsTarget[] = [
  {
    id: 'foundry',
    label: 'Foundry test',
    purpose: (l10n) => l10n.t('Test with vm.expectEmit'),
    hand: copyAsFoundryTest,
  },
];

interface LogsTarget extends Target {
  readonly hand: (logs: readonly CopyLog[], network: CopyNetwork) => CopyResult;
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
