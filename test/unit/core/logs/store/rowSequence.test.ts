import assert from 'node:assert/strict';
import fc from 'fast-check';
import {
  createLogStore,
  createRowSequence,
  type Log,
  type LogOrder,
  type PlacesMoved,
} from '../../../../../src/core/index.ts';
import { createLog } from '../../../../support/anyLogs.ts';

const logAt = (block: number, logIndex: number) => createLog(block, { logIndex });
const keyOf = ({ blockNumber, logIndex }: Log) => `${blockNumber}:${logIndex}`;

/** Rows of blocks 0 to `last`, one in each, as a query in that order has them. */
function queried(last: number, order: LogOrder) {
  const logs = Array.from({ length: last + 1 }, (_, block) => logAt(block, 0));
  const store = createLogStore();
  store.append(order === 'newestFirst' ? logs.toReversed() : logs);
  return { logs, store, sequence: createRowSequence(store, order) };
}

const action = fc.oneof(
  fc.record({ kind: fc.constant('add' as const), count: fc.integer({ min: 1, max: 4 }) }),
  fc.record({ kind: fc.constant('takeBack' as const), depth: fc.integer({ min: 1, max: 7 }) }),
  fc.record({ kind: fc.constant('sweep' as const) }),
);

describe('rows of a followed answer', () => {
  for (const order of ['newestFirst', 'oldestFirst'] as const) {
    it(`stand in the order ${order}, by numbers that never mean another log`, () => {
      fc.assert(
        fc.property(fc.integer({ min: 0, max: 12 }), fc.array(action, { maxLength: 12 }), (last, actions) => {
          const { logs, store, sequence } = queried(last, order);
          let stand = [...logs];
          let made = 0;
          for (const one of actions) {
            const named = Array.from({ length: store.length }, (_, number) => keyOf(store.get(number)));
            if (one.kind === 'add') {
              const next = Number(stand.at(-1)?.blockNumber ?? -1n) + 1;
              const fresh = Array.from({ length: one.count }, (_, at) => logAt(next + at, ++made));
              sequence.add(fresh);
              stand.push(...fresh);
            } else if (one.kind === 'takeBack') {
              const from = BigInt(Math.max(0, Number(stand.at(-1)?.blockNumber ?? 0n) - one.depth + 1));
              const gone = stand.filter(({ blockNumber }) => blockNumber >= from).length;
              assert.equal(sequence.takeBack(from), gone);
              stand = stand.filter(({ blockNumber }) => blockNumber < from);
            } else sequence.sweep();
            for (const [number, name] of named.entries()) assert.equal(keyOf(store.get(number)), name);
            assert.equal(sequence.count, stand.length);
          }
          assert.deepEqual(
            sequence.keysFrom(0n).map(({ logIndex, blockNumber }) => `${blockNumber}:${logIndex}`),
            stand.map(keyOf),
          );
          sequence.sweep();
          const shown = order === 'newestFirst' ? stand.toReversed() : stand;
          assert.deepEqual(sequence.slice(0, 1000).map(keyOf), shown.map(keyOf));
          assert.deepEqual(sequence.now().slice(0, 1000).map(keyOf), shown.map(keyOf));
          for (let place = 0; place < sequence.length; place++) {
            assert.equal(sequence.placeOf(sequence.numberAt(place)), place);
          }
        }),
      );
    });
  }

  it('tells how places have moved, as long as that is not too long ago', () => {
    const { sequence } = queried(9, 'newestFirst');
    const from = sequence.version;
    sequence.add([logAt(10, 0), logAt(11, 0)]);
    sequence.takeBack(9n);
    sequence.sweep();
    const moved: readonly PlacesMoved[] = [
      { removed: [], inserted: [[0, 2]] },
      { removed: [], inserted: [] },
      { removed: [[0, 3]], inserted: [] },
    ];
    assert.deepEqual(sequence.movedSince(from), moved);
    assert.deepEqual(sequence.movedSince(sequence.version), []);
    for (let block = 9; block < 80; block++) sequence.add([logAt(block, 0)]);
    assert.equal(sequence.movedSince(from), undefined);
  });

  it('keeps rows as they stood for who goes through them', () => {
    const { sequence } = queried(3, 'newestFirst');
    const then = sequence.now();
    sequence.takeBack(2n);
    sequence.sweep();
    sequence.add([logAt(2, 7)]);
    assert.deepEqual(then.slice(0, 10).map(keyOf), ['3:0', '2:0', '1:0', '0:0']);
    assert.equal(then.blockNumberAt(0), 3);
    assert.deepEqual(sequence.slice(0, 10).map(keyOf), ['2:7', '1:0', '0:0']);
  });
});
