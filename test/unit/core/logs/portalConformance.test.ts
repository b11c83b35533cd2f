import assert from 'node:assert/strict';
import type { PortalLimits } from '../../../../localnet/portal/coverage.ts';
import { startPortal } from '../../../../localnet/portal/server.ts';
import {
  type ConformanceFilters,
  dataSetsFor,
  describeDataSet,
  filtersFor,
  getReadingsOfSet,
  hasAllKinds,
} from '../../../support/conformance.ts';
import { addresses, dataSets, topics } from '../../../support/logDataSets.ts';
import { assertVerdictHolds, expectedKeys, openInjectQuery } from '../../../support/logReading.ts';

const [A = '', B = '', C = ''] = addresses;
const [T0 = '', T1 = '', T2 = '', T3 = '', T4 = ''] = topics;

const filters: ConformanceFilters = {
  plain: {
    'an address': { address: A },
    'topic0 alone': { topics: [T1] },
    'several addresses': { address: [A, B, C] },
    'a part of the range': { address: A, fromBlock: 4, toBlock: '0x1f' },
    everything: {},
  },
  byTopics: {
    'a wildcard before a topic': { address: A, topics: [T0, null, T4] },
    'a wildcard first': { topics: [null, T2] },
    'either of two topics, then either of two': {
      topics: [
        [T0, T1],
        [T2, T3],
      ],
    },
  },
};

/** How a portal ends its answers: nothing is lost by any of them. */
const endings: Readonly<Record<string, PortalLimits>> = {
  'at the end of the range': {},
  'after some blocks': { blocks: 40 },
  'after some bytes': { bytes: 20_000 },
  'with a line for each piece of its store': { chunk: 16, bytes: 50_000 },
};

for (const [turn, [ending, limits]] of Object.entries(endings).entries()) {
  describe(`log query on a portal that ends an answer ${ending}`, () => {
    for (const [setName, makeSet] of dataSetsFor(turn)) {
      // Of two thousand million blocks there are too many pieces.
      if (setName === 'near 2^31' && ('blocks' in limits || 'chunk' in limits)) continue;
      describeDataSet(setName, makeSet, {
        start: ({ index }) => startPortal({ index, limits }),
        queries: filtersFor(setName, filters, turn),
        mayDoubt: () => false,
      });
    }
  });
}

describe('log query on a portal that ends an answer after each block', () => {
  for (const [setName, makeSet] of Object.entries(dataSets)) {
    if (!hasAllKinds(setName) && setName !== 'small') continue;
    it(`gives every log of data set ${setName}, from both ends`, async () => {
      const set = makeSet();
      const server = await startPortal({ index: set.index, limits: { blocks: 1 } });
      try {
        for (const [read, order] of [...getReadingsOfSet(setName, 0), ...getReadingsOfSet(setName, 1)]) {
          const query = { address: A };
          const answer = await read(openInjectQuery(server, query, order));
          assertVerdictHolds(answer, expectedKeys(set, query, order), () => false);
          assert.equal(answer.verdict.state, 'complete');
        }
      } finally {
        await server.stop();
      }
    });
  }
});
