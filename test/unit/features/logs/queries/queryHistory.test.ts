import assert from 'node:assert/strict';
import fc from 'fast-check';
import {
  emptyForm,
  type QueryForm,
  toChecksumAddress,
  toQueryDefinition,
} from '../../../../../src/core/index.ts';
import {
  addRun,
  getQueryKey,
  limitQueries,
  MAX_RECENT_QUERIES,
  MAX_SAVED_QUERIES,
  type NetworkQuery,
  parseRecent,
  parseSaved,
  type RecentQuery,
  recentToJson,
  type StoredRun,
  type StoredVerdict,
  savedToJson,
} from '../../../../../src/features/logs/queries/queryHistory.ts';

const VAULT = `0x${'5f'.repeat(20)}` as const;
const idOf = (number: number) => `00000000-0000-0000-0000-${String(number).padStart(12, '0')}`;

function asked(form: Partial<QueryForm>, network = 'node'): NetworkQuery {
  const question = toQueryDefinition(
    { ...emptyForm, ...form },
    { chainId: 1 },
    { findAddressesByName: () => [] },
  );
  return { question, network: { id: network, name: network } };
}

function run(id: number, more: Partial<StoredRun> = {}): StoredRun {
  return { id: idOf(id), at: id, count: 0, ...more };
}
const whole: StoredVerdict = {
  ...{ state: 'complete', order: 'newestFirst', fromBlock: '0', toBlock: '9', reasons: [] },
};

describe('recent queries', () => {
  it('have one entry a query, that of the last run first, however its text is written', () => {
    const first = asked({ address: VAULT, event: 'Paused()' });
    const same = asked({
      address: VAULT.toUpperCase().replace('X', 'x'),
      event: 'event Paused()',
      order: 'oldestFirst',
    });
    assert.equal(getQueryKey(first), getQueryKey(same));
    let list = addRun([], first, run(1));
    list = addRun(list, asked({ address: VAULT }), run(2));
    list = addRun(list, same, run(3));
    assert.deepEqual(
      list.map(({ last }) => last.id),
      [idOf(3), idOf(2)],
    );
    assert.equal(addRun(list, asked({ address: VAULT }, 'other'), run(4)).length, 3);
  });

  it('take in how a run goes on where they are', () => {
    let list = addRun(addRun([], asked({ address: VAULT }), run(1)), asked({}), run(2));
    list = addRun(list, asked({ address: VAULT }), run(1, { count: 7, ended: 'failed' }));
    assert.deepEqual(
      list.map(({ last }) => [last.id, last.count]),
      [
        [idOf(2), 0],
        [idOf(1), 7],
      ],
    );
    list = addRun(list, asked({ address: VAULT }), run(1, { count: 9, verdict: whole }));
    assert.deepEqual(list[1]?.last, run(1, { count: 9, verdict: whole }));
  });

  it('keep the last complete run beside the one that came after it', () => {
    const query = asked({ address: VAULT });
    let list = addRun([], query, run(1, { verdict: whole }));
    list = addRun(list, query, run(2, { ended: 'failed' }));
    list = addRun(list, query, run(3));
    assert.deepEqual([list[0]?.last.id, list[0]?.earlier?.id], [idOf(3), idOf(1)]);
    list = addRun(list, query, run(3, { verdict: whole }));
    list = addRun(list, query, run(4));
    assert.equal(list[0]?.earlier?.id, idOf(3));
    // What is still told of a run that was overtaken changes nothing.
    assert.equal(addRun(list, query, run(3, { count: 5 })), list);
  });

  it('are bounded, those that are saved by themselves', () => {
    const many = Array.from({ length: 500 }, (_, place) => asked({ fromBlock: String(place) }));
    let list: readonly RecentQuery[] = [];
    for (const [place, query] of many.entries()) list = addRun(list, query, run(place));
    assert.equal(limitQueries(list, () => false).length, MAX_RECENT_QUERIES);
    assert.equal(limitQueries(list, undefined)[0]?.last.id, idOf(499));
    const isSaved = ({ last }: RecentQuery) => last.at < 250;
    const kept = limitQueries(list, isSaved);
    assert.deepEqual(
      [kept.filter(isSaved).length, kept.length],
      [MAX_SAVED_QUERIES, MAX_SAVED_QUERIES + MAX_RECENT_QUERIES],
    );
  });

  it('pass over a question of thousands of addresses, and hold few long ones', () => {
    const addresses = (count: number) =>
      Array.from({ length: count }, (_, place) => `0x${place.toString(16).padStart(40, '0')}`).join(' ');
    assert.deepEqual(addRun([], asked({ address: addresses(3000) }), run(1)), []);
    let list: readonly RecentQuery[] = [];
    for (let place = 0; place < 40; place++) {
      const query = asked({ address: addresses(1000), fromBlock: String(place) });
      list = limitQueries(addRun(list, query, run(place)), undefined);
    }
    assert.ok(list.length > 10 && list.length < 40, String(list.length));
    assert.ok(JSON.stringify(recentToJson(list)).length < 1.2 * 1024 * 1024);
  });

  it('stay in order and within bounds whatever is run, and come back as they were kept', () => {
    const step = fc.record({
      query: fc.integer({ min: 0, max: 12 }),
      run: fc.integer({ min: 0, max: 30 }),
      isWhole: fc.boolean(),
    });
    fc.assert(
      fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
        let list: readonly RecentQuery[] = [];
        for (const { query, run: id, isWhole } of steps) {
          const before = list;
          // A run is of one query.
          const question = asked({ fromBlock: String(query) });
          list = limitQueries(
            addRun(list, question, run(id * 100 + query, isWhole ? { verdict: whole } : {})),
            undefined,
          );
          const keys = list.map(getQueryKey);
          assert.equal(new Set(keys).size, keys.length);
          assert.ok(keys.includes(getQueryKey(question)));
          // Nothing else has moved.
          const others = (all: readonly RecentQuery[]) =>
            all.map(getQueryKey).filter((key) => key !== getQueryKey(question));
          assert.deepEqual(others(list), others(before));
          for (const { last, earlier } of list) {
            assert.notEqual(last.id, earlier?.id);
            if (earlier) assert.equal(earlier.verdict?.state, 'complete');
          }
        }
        const back = parseRecent(JSON.parse(JSON.stringify(recentToJson(list))));
        assert.deepEqual(
          JSON.parse(JSON.stringify(recentToJson(back))),
          JSON.parse(JSON.stringify(recentToJson(list))),
        );
        assert.deepEqual(back.map(getQueryKey), list.map(getQueryKey));
      }),
    );
  });

  it('are read back without what is none of ours', () => {
    const list = addRun(addRun([], asked({ address: VAULT }), run(1, { verdict: whole })), asked({}), run(2));
    const stored = JSON.parse(JSON.stringify(recentToJson(list)));
    const [first, second] = stored.queries;
    const broken = [
      { ...first, id: '../../../etc/passwd' },
      { ...first, question: { chainId: 1, address: 'not hex' } },
      { ...first, question: { address: VAULT } },
      { ...first, question: { ...first.question, unknown: true } },
      { ...first, last: { ...first.last, id: '../x' } },
      { ...first, last: { ...first.last, verdict: { ...whole, toBlock: '9'.repeat(400) } } },
      { ...first, last: { ...first.last, count: -1 } },
      { ...first, network: { id: 'x'.repeat(1000), name: '' } },
      ...[null, 7, [], 'text', { __proto__: null }],
    ];
    assert.deepEqual(parseRecent({ version: 1, queries: broken }), []);
    const mixed = parseRecent({ version: 1, queries: [...broken, first, first, second] });
    assert.deepEqual(
      mixed.map(({ id }) => id),
      list.map(({ id }) => id),
    );
    const [newer, without] = [
      { version: 2, queries: [first] },
      { version: 1, queries: {} },
    ];
    for (const other of [undefined, null, [], newer, without]) assert.deepEqual(parseRecent(other), []);
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        parseRecent(value);
        parseRecent({
          version: 1,
          queries: [value, { ...first, question: value }, { ...first, last: value }],
        });
        parseSaved(idOf(1), value);
        parseSaved(idOf(1), { version: 1, network: first.network, question: value });
      }),
    );
  });
});

describe('a saved query', () => {
  it('is kept as a question with its name, and read back as it was', () => {
    const query = { id: idOf(1), name: 'Vault pauses', ...asked({ address: VAULT, event: 'Paused()' }) };
    const stored = JSON.parse(JSON.stringify(savedToJson(query)));
    assert.deepEqual(stored.question, {
      title: 'Vault pauses',
      chainId: 1,
      address: toChecksumAddress(VAULT),
      event: 'Paused()',
    });
    const back = parseSaved(idOf(1), stored);
    assert.deepEqual(back && savedToJson(back), savedToJson(query));
    for (const title of ['x'.repeat(150), undefined]) {
      const question = { ...stored.question, title };
      assert.equal(parseSaved(idOf(1), { ...stored, question }), undefined);
    }
  });
});
