import fc from 'fast-check';
import type { NodeTraits } from './anyNode.ts';

const refusals = [
  { code: -32000, message: 'maximum [from, to] blocks distance: {}' },
  { code: -32701, message: 'exceed maximum block range: {}' },
  { code: -32000, message: 'query must be smaller than size {}' },
  {
    code: -32602,
    message: 'block range is larger than max block range, block range = 9999, max block range = {}',
  },
  { code: -32602, message: 'query block range exceeds server limit, narrow your filter: 5.' },
  { code: -39999, message: 'computer says no' },
];
const prunedErrors = [
  { code: 4444, message: 'pruned history unavailable' },
  { code: -32000, message: 'seek with txNum=19 but data before txNum=26 is not available' },
  { code: -32001, message: 'gone' },
];

/** The newest block: in a quarter of the chains there are more of them than a lagging replica may lack. */
export const anyHead = fc.oneof(
  { weight: 3, arbitrary: fc.integer({ min: 20, max: 400 }) },
  { weight: 1, arbitrary: fc.integer({ min: 400, max: 6000 }) },
);

/** Long chains are busy, as real ones are: what shows missing logs are the blooms of some of their blocks. */
export const busyEveryOf = (head: number): fc.Arbitrary<number | undefined> =>
  head > 90 ? fc.integer({ min: 1, max: 4 }) : seldom(fc.integer({ min: 1, max: 9 }));

/** Mostly not, so that many nodes have few traits. */
export const seldom = <T>(value: fc.Arbitrary<T>) =>
  fc.oneof({ weight: 4, arbitrary: fc.constant(undefined) }, { weight: 1, arbitrary: value });

const rarely = <T>(value: fc.Arbitrary<T>) =>
  fc.oneof({ weight: 9, arbitrary: fc.constant(undefined) }, { weight: 1, arbitrary: value });

/** A reorg during a query, or none; `others` are the logs, or what makes them, that take the place of the last ones. */
export const anyReorg = <T>(others: fc.Arbitrary<T>) =>
  seldom(
    fc.record({
      atRequest: fc.integer({ min: 1, max: 12 }),
      depth: fc.integer({ min: 1, max: 20 }),
      others,
    }),
  );

/** Traits of any node with a chain up to `head`. */
export const anyTraits = (head: number): fc.Arbitrary<NodeTraits> =>
  fc
    .record({
      name: seldom(fc.constant('Geth/v1.17.0')),
      batches: fc.boolean(),
      width: seldom(
        fc
          .tuple(fc.integer({ min: 8, max: 300 }), fc.constantFrom(...refusals))
          .map(([maxBlocks, { code, message }]) => ({
            maxBlocks,
            code,
            message: message.replace('{}', `${maxBlocks}`),
          })),
      ),
      maxLogs: seldom(fc.integer({ min: 5, max: 30 })),
      pruned: seldom(
        fc.oneof(
          fc.record({
            below: fc.integer({ min: 1, max: head }),
            error: fc.constantFrom(...prunedErrors),
          }),
          fc.record({
            below: fc.integer({ min: 1, max: head }),
            error: fc.constant(undefined),
            unlessWithin: fc.constant(1),
          }),
          fc.record({
            below: fc.integer({ min: 1, max: head }),
            error: fc.constant(undefined),
            keeps: seldom(fc.constantFrom([`0x${'a1'.padStart(40, '0')}`], [`0x${'b2'.padStart(40, '0')}`])),
          }),
        ),
      ),
      needsAddress: seldom(fc.boolean()),
      headers: rarely(fc.constantFrom('limited', 'missing', 'newOnly')),
      blooms: rarely(fc.constant('empty')),
      maxBatch: seldom(
        fc.record({
          calls: fc.constantFrom(1, 3, 10),
          form: fc.constantFrom('list', 'object', 'one', 'status', 'null'),
        }),
      ),
      lag: seldom(
        fc.record({
          every: fc.integer({ min: 3, max: 4 }),
          blocks: fc.oneof(fc.integer({ min: 1, max: 9 }), fc.integer({ min: 10, max: 2000 })),
          refuses: fc.boolean(),
        }),
      ),
      failEvery: seldom(fc.integer({ min: 4, max: 9 })),
      flaw: seldom(
        fc.record({
          nth: fc.integer({ min: 0, max: 20 }),
          kind: fc.constantFrom('removed', 'noBlock', 'noHash', 'noIndex', 'twice'),
        }),
      ),
      nullEvery: seldom(fc.integer({ min: 3, max: 20 })),
      index: fc.constantFrom('block', 'block', 'transaction', 'nothing'),
      times: seldom(fc.constant('fall')),
    })
    // Without blooms nothing shows what a node leaves out.
    .map((traits) => (traits.pruned && !traits.pruned.error ? { ...traits, blooms: undefined } : traits));

const stateErrors = [
  {
    code: -32000,
    message: 'missing trie node d67e4d450343046425ae4271474353857ab860dbc0a1dde64b41b5cd3a532bf3 (path )',
  },
  { code: -32000, message: 'old data not available due to pruning' },
];

/** Of which blocks a node has the state, and what it says of others. */
export const anyStates: fc.Arbitrary<Pick<NodeTraits, 'states' | 'unseen'>> = fc.record({
  states: seldom(
    fc.oneof(
      fc.record({ kind: fc.constantFrom('now' as const, 'clamped' as const) }),
      fc.record({
        kind: fc.constant('latestOnly' as const),
        error: fc.constant({ code: -32602, message: 'QUANTITY not supported, just support TAG as latest' }),
      }),
      fc.record({
        kind: fc.constant('newest' as const),
        count: fc.constantFrom(1, 64, 128),
        error: fc.constantFrom(...stateErrors),
      }),
    ),
  ),
  unseen: fc.constantFrom(undefined, null, { code: -32000, message: 'unknown block' }),
});
