import assert from 'node:assert/strict';
import { type DialectName, dialects } from '../../localnet/explorer/dialects.ts';
import type { RowOrder } from '../../localnet/explorer/plannerOrder.ts';
import { startExplorer } from '../../localnet/explorer/server.ts';
import { type ConformanceFilters, filtersFor, hasAllKinds } from './conformanceCases.ts';
import { describeDataSet } from './describeDataSet.ts';
import { cannotReach, passesOrphans } from './explorerRules.ts';
import { addresses, dataSets, type LogDataSet, topics } from './logDataSets.ts';
import { getLogKeys } from './logReading.ts';

const [A = '', B = '', C = ''] = addresses;
const [T0 = '', T1 = '', T2 = '', T3 = '', T4 = ''] = topics;

const filters: ConformanceFilters = {
  plain: {
    'an address': { address: A },
    'an address and topic0': { address: A, topics: [T0] },
    'topic0 alone': { topics: [T1] },
    'several addresses': { address: [B, C] },
    'a part of the range': { address: A, fromBlock: 4, toBlock: '0x1f' },
  },
  byTopics: {
    'a wildcard before a topic': { address: A, topics: [T0, null, T4] },
    'a wildcard first': { address: A, topics: [null, T2] },
    'either of two topics, then one': { address: A, topics: [[T0, T1], T2] },
    'one, then either of two': { topics: [T0, [T2, T3]] },
  },
};

const versions = Object.keys(dialects);

/** Holds queries of every kind against one explorer version, over all data sets, in every way of reading. */
export function describeConformance(dialect: DialectName, order: RowOrder | undefined): void {
  const turn = versions.indexOf(dialect);
  describe(`log query on Blockscout ${dialect}${order ? `, rows found ${order}` : ''}`, () => {
    for (const [setName, makeSet] of setsFor(order)) {
      const plannerOrder = order ? { plannerOrder: () => order } : {};
      describeDataSet(setName, makeSet, {
        start: ({ index }) => startExplorer({ index, dialect, ...plannerOrder }),
        queries: filtersFor(setName, isLikely(order) ? filters : { ...filters, byTopics: {} }, turn),
        mayDoubt: (set, query) =>
          isForked(setName) ? passesOrphans(dialect) : cannotReach(dialect, set, query),
        assertMore(answer, wanted) {
          if (isForked(setName)) assert.deepEqual(missing(getLogKeys(answer.logs), wanted), []);
        },
      });
    }
  });
}

/** The order matters where a page is full; newest first, the likely one, is held against every set. */
function setsFor(order: RowOrder | undefined): readonly [string, () => LogDataSet][] {
  const all = Object.entries(dataSets);
  return isLikely(order) ? all : all.filter(([name]) => hasAllKinds(name));
}

function isLikely(order: RowOrder | undefined): boolean {
  return order === undefined || order === 'descending';
}

function missing(given: readonly string[], wanted: readonly string[]): readonly string[] {
  const have = new Set(given);
  return wanted.filter((key) => !have.has(key));
}

function isForked(set: string): boolean {
  return set === 'forked' || set === 'mined again';
}
