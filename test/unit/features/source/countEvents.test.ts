import assert from 'node:assert/strict';
import type { Address, Hex, IndexedDeployment, LogFilter, LogPage } from '../../../../src/core/index.ts';
import {
  type CountedEvent,
  countEventGroup,
  groupCountedEvents,
} from '../../../../src/features/source/countEvents.ts';
import { deploymentFacts } from '../../../support/projectFacts.ts';
import { bareLog, verdictOf } from '../../../support/stubs.ts';

const vault: Address = `0x${'11'.repeat(20)}`;
const other: Address = `0x${'22'.repeat(20)}`;
const PAID: Hex = `0x${'aa'.repeat(32)}`;
const OPENED: Hex = `0x${'bb'.repeat(32)}`;

function deployment(chainId: string, address: Address, block?: bigint): IndexedDeployment {
  return { ...deploymentFacts({ chainId, address, block, contract: 'Vault' }), file: 'a.json' };
}
function event(name: string, topic0: Hex, ...deployments: readonly IndexedDeployment[]): CountedEvent {
  return { name, declaration: `event ${name}()`, topic0: () => topic0, deployments };
}

describe('events that are counted', () => {
  it('go together where they are deployed at the same addresses of the chain', () => {
    const here = [deployment('1', vault, 7n), deployment('1', vault, 9n), deployment('1', other, 5n)];
    const groups = groupCountedEvents(
      [
        event('Paid', PAID, ...here, deployment('5', other)),
        event('Opened', OPENED, ...[...here].reverse()),
        event('Closed', PAID, deployment('1', other)),
        event('Elsewhere', PAID, deployment('5', vault)),
      ],
      1,
    );
    assert.deepEqual(
      groups.map(({ events, addresses, fromBlock }) => [
        events.map(({ name }) => name),
        addresses,
        fromBlock,
      ]),
      [
        [['Paid', 'Opened'], [vault, other], 5n],
        [['Closed'], [other], undefined],
      ],
    );
  });

  it('are those of the first 50 of many deployments, with all of them known', () => {
    const many = Array.from({ length: 60 }, (_, n) =>
      deployment('1', `0x${n.toString(16).padStart(40, '0')}` as Address),
    );
    const [group] = groupCountedEvents([event('Paid', PAID, ...many)], 1);
    assert.deepEqual([group?.addresses.length, group?.deployments], [50, 60]);
  });

  it('are asked for by one query, and the times of the last by one question', async () => {
    const asked: unknown[] = [];
    const log = (blockNumber: bigint, topic0: Hex) => bareLog({ blockNumber, topics: [topic0] });
    const verdict = verdictOf({ fromBlock: 5n, toBlock: 99n, order: 'newestFirst', readThrough: 5n });
    async function* rest(): AsyncGenerator<LogPage> {
      yield { logs: [log(90n, PAID), log(80n, OPENED), log(70n, PAID)], verdict };
    }
    const client = {
      openLogQuery(filter: LogFilter) {
        asked.push(filter.topics, filter.addresses, filter.fromBlock);
        return { verdict, rest, nextPage: () => assert.fail('Pages are not asked for.') };
      },
      async fetchBlockTimes(blocks: readonly bigint[]) {
        asked.push(blocks);
        return new Map(
          blocks.map((block) => [block, { time: Number(block) * 1000, source: 'eth_getLogs' as const }]),
        );
      },
    };
    const [group] = groupCountedEvents(
      [event('Paid', PAID, deployment('1', vault, 5n)), event('Opened', OPENED, deployment('1', vault, 5n))],
      1,
    );
    assert.ok(group);
    const options = { signal: new AbortController().signal, onProgress: () => undefined };
    const counted = await countEventGroup(client, group, options);
    assert.deepEqual(asked, [[[PAID, OPENED]], [vault], 5n, [90n, 80n]]);
    const { count, last, fromBlock, toBlock } =
      counted.get('event Paid()') ?? assert.fail('It was not counted.');
    assert.deepEqual([count, last, fromBlock, toBlock], [2, { block: 90n, time: 90_000 }, 5n, 99n]);
    assert.equal(counted.get('event Opened()')?.count, 1);
  });
});
