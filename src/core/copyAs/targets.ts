import type { CopyLog, CopyNetwork, CopyQuery, CopyResult } from './copyQuery.ts';
import { copyAsFoundryTest } from './foundryTest.ts';
import { copyAsEthers, copyAsViem } from './javascript.ts';
import { copyAsCast, copyAsCryo, copyAsCurl, copyAsHyperSync, copyAsSqdPortal } from './shell.ts';
import { copyAsBigQuery, copyAsDune } from './sql.ts';

/** Turns an English sentence into the reader's language. */
interface Localizer {
  t(message: string): string;
}

interface Target {
  readonly id: string;
  /** Its name, which is the same in every language. */
  readonly label: string;
  /** What is copied, in a few words. */
  readonly purpose: (l10n: Localizer) => string;
}

/** A tool that is handed a query. */
interface QueryTarget extends Target {
  /** Whether the times of the first and the last block make it cheaper to run. */
  readonly wantsTimes?: true;
  /** Whether it is for more than one machine reads in a while: of no use for a single row. */
  readonly isLarge?: true;
  readonly hand: (query: CopyQuery) => CopyResult;
}

/** A tool that is handed logs. */
interface LogsTarget extends Target {
  readonly hand: (logs: readonly CopyLog[], network: CopyNetwork) => CopyResult;
}

/** What a query is handed to, in the order in which it is offered. */
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
    ...{ isLarge: true, wantsTimes: true },
    hand: copyAsDune,
  },
  {
    id: 'bigquery',
    label: 'BigQuery',
    purpose: (l10n) => l10n.t('SQL for the public data set'),
    ...{ isLarge: true, wantsTimes: true },
    hand: copyAsBigQuery,
  },
];

/** What decoded logs are handed to. */
export const copyLogsTargets: readonly LogsTarget[] = [
  {
    id: 'foundry',
    label: 'Foundry test',
    purpose: (l10n) => l10n.t('Test with vm.expectEmit'),
    hand: copyAsFoundryTest,
  },
];

/**
 * A query for the place of one log: what has the same topics, of the same contract, in its block.
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
