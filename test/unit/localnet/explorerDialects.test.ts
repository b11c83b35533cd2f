import assert from 'node:assert/strict';
import type { Hex } from 'ox';
import { type DialectName, dialects } from '../../../localnet/explorer/dialects.ts';
import { newestFirst } from '../../../localnet/explorer/plannerOrder.ts';
import { startExplorer } from '../../../localnet/explorer/server.ts';
import { MemoryIndex } from '../../../localnet/index/memoryIndex.ts';
import { balanceCases } from '../../fixtures/explorerBalanceCases.ts';
import type { ExplorerCase } from '../../fixtures/explorerCase.ts';
import { address, buildIndex, withdrawalTopic } from '../../fixtures/explorerDataSets.ts';
import { envelopeCases, forwardingCases, httpCases } from '../../fixtures/explorerEnvelopeCases.ts';
import { selectionCases, topicCases } from '../../fixtures/explorerLogCases.ts';
import { logRefusalCases } from '../../fixtures/explorerLogRefusalCases.ts';
import { pagingCases } from '../../fixtures/explorerPagingCases.ts';

const groups = {
  'which logs': selectionCases,
  topics: topicCases,
  paging: pagingCases,
  'refused log queries': logRefusalCases,
  balances: balanceCases,
  envelope: envelopeCases,
  'forwarded methods': forwardingCases,
  HTTP: httpCases,
};

describe('explorer dialects', () => {
  for (const [group, cases] of Object.entries(groups)) {
    describe(group, () => {
      for (const fact of cases) {
        for (const dialect of fact.dialects) {
          it(`${fact.name} (${dialect})`, () => holds(fact, dialect));
        }
      }
    });
  }
});

async function holds({ given, request, expected, ...options }: ExplorerCase, dialect: DialectName) {
  const { rateLimit, forward } = options;
  const explorer = await startExplorer({
    ...{ index: buildIndex(given ?? {}), dialect },
    ...(rateLimit && { rateLimit }),
    ...(forward && { forward }),
  });
  try {
    const { method = 'POST', path = '/api/eth-rpc', contentType = 'application/json', body } = request;
    const response = await fetch(explorer.origin + path, {
      method,
      ...(method === 'POST' && {
        headers: { 'content-type': contentType },
        body: typeof body === 'string' ? body : JSON.stringify(body),
      }),
    });
    const text = await response.text();
    assert.equal(response.status, expected.status ?? 200, text);
    const wanted = typeof expected.body === 'function' ? expected.body(dialect) : expected.body;
    assert.deepEqual(readBody(text), wanted);
    for (const [name, value] of Object.entries(expected.headers ?? {})) {
      const header = response.headers.get(name) ?? undefined;
      if (value instanceof RegExp) assert.match(header ?? '', value, name);
      else assert.equal(header, value, name);
    }
  } finally {
    await explorer.stop();
  }
}

/** Some answers are no JSON, and that is the point of them. */
function readBody(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

const block4 = `0x${'04'.repeat(32)}` as const;
const block5 = `0x${'05'.repeat(32)}` as const;
const orphan5 = `0x${'a5'.repeat(32)}` as const;
const first = `0x${'f1'.repeat(32)}` as const;
const moved = `0x${'f2'.repeat(32)}` as const;

describe('explorer on a fork', () => {
  it('since v11 shows each log once, where its transaction stands now', async () => {
    assert.deepEqual(await rows('v11.2', reorganised()), [
      [block4, '0x4', '0x0', false],
      [block5, '0x5', '0x0', false],
    ]);
  });

  it('on v12 shows the orphaned copy too, as if it were true', async () => {
    assert.deepEqual(await rows('v12', reorganised()), [
      [block4, '0x4', '0x0', false],
      [block5, '0x5', '0x0', false],
      [block5, '0x5', '0x7', false],
    ]);
  });

  it('on v5 shows every copy once for each block of the height', async () => {
    const shown = await rows('v5.1.4', reorganised());
    assert.deepEqual(shown.sort(), [
      [block4, '4', '0', false],
      [block5, '5', '0', false],
      [block5, '5', '7', false],
      [orphan5, '5', '0', true],
      [orphan5, '5', '7', true],
    ]);
  });

  it('on v6.3 shows a dropped transaction without a block, after all others', async () => {
    const index = reorganised();
    index.drop(first);
    const shown = await rows('v6.3', index);
    assert.deepEqual(shown.at(-1), ['', null, '0x0', true]);
  });

  it('moves the head down when the newest block is orphaned', () => {
    const index = new MemoryIndex();
    index.addBlock({ number: 7, hash: block4, transactions: [] });
    index.addBlock({ number: 9, hash: block5, transactions: [] });
    index.orphan(block5);
    assert.equal(index.head(), 7);
    assert.equal(index.highestOrphan()?.number, 9);
  });
});

/** Block 5 was replaced, and its transaction mined again with its log at another index. */
function reorganised(): MemoryIndex {
  const log = (logIndex: number) => ({
    ...{ address, topics: [withdrawalTopic], logIndex },
    data: '0x01',
  });
  const index = new MemoryIndex();
  index.addBlock({ number: 4, hash: block4, transactions: [transaction(first, log(0))] });
  index.addBlock({ number: 5, hash: orphan5, transactions: [transaction(moved, log(7))] });
  index.orphan(orphan5);
  index.addBlock({ number: 5, hash: block5, transactions: [transaction(moved, log(0))] });
  return index;
}

function transaction(hash: Hex.Hex, log: unknown) {
  return { hash, logs: [log] } as Parameters<MemoryIndex['addBlock']>[0]['transactions'][number];
}

async function rows(dialect: DialectName, index: MemoryIndex) {
  const filter = { address, fromBlock: '0x0', toBlock: '0x9' };
  const forward = async () => ({ failed: 'not asked' });
  const context = { index, forward, plannerOrder: newestFirst };
  const entries = await dialects[dialect].methods.eth_getLogs?.run([filter], context);
  return (entries as Record<string, unknown>[]).map(({ blockHash, blockNumber, logIndex, removed }) => [
    ...[blockHash, blockNumber, logIndex, removed],
  ]);
}
