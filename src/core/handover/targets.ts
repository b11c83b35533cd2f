import type { Handed, HandedLog, HandedNetwork, HandedQuery } from './handed/handover.ts';
import { handToEthers } from './programs/ethers.ts';
import { handToViem } from './programs/viem.ts';
import { handToCast } from './shell/cast.ts';
import { handToCryo } from './shell/cryo.ts';
import { handToCurl } from './shell/curl.ts';
import { handToHyperSync } from './shell/hyperSync.ts';
import { handToPortal } from './shell/sqdPortal.ts';
import { handToFoundryTest } from './solidity/foundryTest.ts';
import { handToBigQuery } from './sql/bigQuery.ts';
import { handToDune } from './sql/dune.ts';

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
  readonly hand: (query: HandedQuery) => Handed;
}

/** A tool that is handed logs. */
interface LogsTarget extends Target {
  readonly hand: (logs: readonly HandedLog[], network: HandedNetwork) => Handed;
}

/** What a query is handed to, in the order in which it is offered. */
export const queryTargets: readonly QueryTarget[] = [
  {
    id: 'curl',
    label: 'curl',
    purpose: (l10n) => l10n.t('eth_getLogs, for a POSIX shell'),
    hand: handToCurl,
  },
  { id: 'cast', label: 'cast', purpose: (l10n) => l10n.t('Command of Foundry'), hand: handToCast },
  { id: 'viem', label: 'viem', purpose: (l10n) => l10n.t('Program for Node'), hand: handToViem },
  { id: 'ethers', label: 'ethers', purpose: (l10n) => l10n.t('Program for Node'), hand: handToEthers },
  {
    id: 'cryo',
    label: 'cryo',
    purpose: (l10n) => l10n.t('Command that writes Parquet files'),
    isLarge: true,
    hand: handToCryo,
  },
  {
    id: 'sqd',
    label: 'SQD Portal',
    purpose: (l10n) => l10n.t('Stream request, with curl'),
    isLarge: true,
    hand: handToPortal,
  },
  {
    id: 'hypersync',
    label: 'HyperSync',
    purpose: (l10n) => l10n.t('Query, with curl'),
    isLarge: true,
    hand: handToHyperSync,
  },
  {
    id: 'dune',
    label: 'Dune',
    purpose: (l10n) => l10n.t('SQL of Trino'),
    ...{ isLarge: true, wantsTimes: true },
    hand: handToDune,
  },
  {
    id: 'bigquery',
    label: 'BigQuery',
    purpose: (l10n) => l10n.t('SQL for the public data set'),
    ...{ isLarge: true, wantsTimes: true },
    hand: handToBigQuery,
  },
];

/** What decoded logs are handed to. */
export const logsTargets: readonly LogsTarget[] = [
  {
    id: 'foundry',
    label: 'Foundry test',
    purpose: (l10n) => l10n.t('Test with vm.expectEmit'),
    hand: handToFoundryTest,
  },
];

/**
 * A query for the place of one log: what has the same topics, of the same contract, in its block.
 *
 * @example queryForLog(log).addresses.length; // 1
 */
export function queryForLog({ log }: Pick<HandedLog, 'log'>): HandedQuery['filter'] {
  return {
    addresses: [log.address],
    topics: log.topics.map((topic) => [topic]),
    fromBlock: log.blockNumber,
    toBlock: log.blockNumber,
  };
}
