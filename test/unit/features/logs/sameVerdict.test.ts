import assert from 'node:assert/strict';
import {
  checkExpectation,
  createChainClient,
  digestResult,
  formatMessage,
  parseQueryDefinition,
  parseQueryForm,
  runOperation,
} from '../../../../src/core/index.ts';
import type { LogClient } from '../../../../src/core/logs/query/logQuery.ts';
import { formatResultDetails, formatStatus } from '../../../../src/features/logs/panel/formatStatus.ts';
import { type Chain, createAnyNode, type NodeTraits } from '../../../support/anyNode.ts';
import { createTestClock } from '../../../support/clocks.ts';
import { readAll } from '../../../support/logReading.ts';
import { createTestDeps } from '../../../support/operationDeps.ts';
import { anyNetwork, english } from '../../../support/stubs.ts';

const A = `0x${'11'.repeat(20)}`;
const TRANSFER_TOPIC = '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef';
const word = (value: number) => `0x${value.toString(16).padStart(64, '0')}`;
const HEAD = 3000;
const GETH: NodeTraits = { name: 'Geth/v1.17.0', batches: true, index: 'block' };

const chain: Chain = {
  head: HEAD,
  logs: [5, 900, 1500, 2999].map((block, nth) => ({
    ...{ block, place: 0, address: A, data: word(1) },
    topics: [TRANSFER_TOPIC, word(1), word(2), ...(nth === 3 ? [word(7)] : [])],
  })),
};
const pruned = (error: typeof refusal | undefined) => ({ ...GETH, pruned: { below: 1000, error } });
const flawed = (kind: NonNullable<NodeTraits['flaw']>['kind']) => ({ ...GETH, flaw: { nth: 1, kind } });
const refusal = { code: 4444, message: 'pruned history unavailable' };

type State = 'complete' | 'unreached' | 'uncertain';
type Query = Readonly<Record<string, unknown>>;

const table: readonly (readonly [
  what: string,
  node: NodeTraits,
  query: Query,
  state: State,
  rows: number,
])[] = [
  ['everything', GETH, {}, 'complete', 4],
  ['a range of times', GETH, { from: '2023-11-14T22:13:00Z', to: '2023-11-15T01:14:00Z' }, 'complete', 2],
  ['an end above the head', GETH, { to: HEAD + 1 }, 'unreached', 4],
  ['an end in the future', GETH, { to: '2999-01-01' }, 'unreached', 4],
  ['a start above the head', GETH, { from: HEAD + 5, to: HEAD + 9 }, 'unreached', 0],
  ['a node that refuses old blocks', pruned(refusal), {}, 'uncertain', 2],
  ['a node that leaves out old logs', pruned(undefined), {}, 'uncertain', 2],
  ['a removed log', flawed('removed'), {}, 'uncertain', 3],
  ['a log without a block', flawed('noBlock'), {}, 'uncertain', 3],
  ['a log that comes twice', flawed('twice'), {}, 'uncertain', 4],
  ['null instead of a list', { ...GETH, nullEvery: 1 }, {}, 'uncertain', 0],
  ['times that go backwards', { ...GETH, times: 'fall' }, { from: '2023-11-14T12:30:00Z' }, 'uncertain', -1],
];

describe('panel, check and agents', () => {
  for (const [what, node, query, state, rows] of table) {
    it(`have one verdict on ${what}: ${state}`, async () => {
      const { from: fromBlock, to: toBlock } = query;
      const definition = {
        address: A,
        ...(fromBlock !== undefined && { fromBlock }),
        ...(toBlock !== undefined && { toBlock }),
      };
      const { filter } = parseQueryForm(parseQueryDefinition(definition).query);
      assert.ok(filter);
      const newClient = (): LogClient =>
        createChainClient({
          ...{ fetch: createAnyNode(chain, node), clock: createTestClock() },
          url: 'http://node.test/',
        });

      const { logs, verdict } = await readAll(newClient().openLogQuery(filter));
      const result = {
        ...{ loading: undefined, backoff: undefined, progress: undefined, notice: undefined },
        ...{ verdict, sequence: { count: logs.length }, isFollowed: false, error: undefined },
        ...{ loadedAt: undefined, age: undefined, network: anyNetwork(31337) },
      };
      const { tone } = formatStatus(result, 'Node', english);
      const { reasons, notes } = formatResultDetails(result, english);
      const shown = [...reasons, ...notes].join(' ');

      const checked = checkExpectation(await digestResult(newClient(), filter), { count: logs.length });
      const agent = await runOperation(
        { name: 'query_events', input: { address: A, ...query, mode: 'count', confirm: true } },
        await createTestDeps(createAnyNode(chain, node)),
      );

      assert.equal(tone, state);
      assert.equal(checked.state, state === 'complete' ? 'ok' : 'incomplete');
      assert.equal(agent.complete, { complete: true, unreached: false, uncertain: 'unknown' }[state]);
      if (rows >= 0) assert.deepEqual([logs.length, agent.count], [rows, `${rows}`]);
      for (const reason of checked.reasons.map(formatMessage)) {
        const sentence = reason.split('.')[0]?.replace(/[\d,]+/g, '') ?? '';
        assert.ok(shown.replace(/[\d,]+/g, '').includes(sentence), `${sentence} is not in: ${shown}`);
        assert.ok(
          String(agent.reasons)
            .replace(/[\d,]+/g, '')
            .includes(sentence),
          String(agent.reasons),
        );
      }
    });
  }
});
