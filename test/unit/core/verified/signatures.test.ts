import assert from 'node:assert/strict';
import { toEventSelector, toFunctionSelector } from 'viem';
import {
  createLogDecoder,
  createSignatureCache,
  explainHex,
  type Hex,
  type Provider,
  type SignatureProvider,
  thirdPartyProviders,
} from '../../../../src/core/index.ts';
import { createTestClock } from '../../../support/clocks.ts';
import { type ScriptedAnswer, scriptedFetch } from '../../../support/fakeFetch.ts';
import { pick } from '../../../support/pick.ts';

const kind = thirdPartyProviders.find(({ name }) => name === 'signatures') as Provider;
const address = `0x${'ab'.repeat(20)}` as const;
const paid = toEventSelector('Paid(address,uint256)');
const word = (value: bigint | number): Hex => `0x${value.toString(16).padStart(64, '0')}`;
const name = (text: string, hasVerifiedContract = false) => ({
  name: text,
  filtered: false,
  hasVerifiedContract,
});

async function opened(answer: (url: URL) => ScriptedAnswer) {
  const { fetch, asked } = scriptedFetch((_, url) => answer(url));
  const clock = createTestClock();
  const { signatures } = await kind.open({
    ...{ fetch, clock, url: 'https://n.example/', chainId: 1, key: undefined },
    ...{ throttle: kind.createThrottle({ clock }), revoked: new AbortController().signal },
  });
  return { source: signatures as SignatureProvider, asked };
}
const result = (event: object, functions: object = {}) => ({
  ok: true,
  result: { event, function: functions },
});

describe('A database of signatures', () => {
  it('is asked for many at once, errors as functions', async () => {
    const selectors = Array.from({ length: 60 }, (_, n) => `0x${n.toString(16).padStart(8, '0')}` as const);
    const { source, asked } = await opened(() => result({}));
    await source.names({ events: [paid], selectors });
    const queries = asked.map((path) => new URL(path, 'https://n.example').searchParams);
    assert.deepEqual(
      queries.map((query) => [query.get('event'), query.get('function')?.split(',').length]),
      [
        [paid, 49],
        [null, 11],
      ],
    );
    assert.equal(asked[0]?.split('?')[0], '/signature-database/v1/lookup');
  });

  it('puts names of verified contracts first, and leaves out those that hash to something else', async () => {
    const selector = toFunctionSelector('transfer(address,uint256)');
    const none = '0x00000000' as const;
    const { source } = await opened(() =>
      result(
        { [paid]: [name('Other(uint256)'), name('Paid(address,uint256)'), 5, name('Paid(')], extra: [] },
        {
          [selector]: [name('many_msg_babbage(bytes1)'), name('transfer(address,uint256)', true)],
          [none]: null,
        },
      ),
    );
    const { events, selectors } = await source.names({ events: [paid], selectors: [selector, none] });
    assert.deepEqual([...events], [[paid, [{ signature: 'Paid(address,uint256)', isVerified: false }]]]);
    assert.deepEqual(pick(selectors.get(selector), 'signature'), [
      'transfer(address,uint256)',
      'many_msg_babbage(bytes1)',
    ]);
    assert.deepEqual([...selectors.keys()], [selector]);
  });

  it('fails on what is no such answer', async () => {
    for (const answer of [{ ok: false, error: 'no' }, []]) {
      const { source } = await opened(() => answer);
      await assert.rejects(source.names({ events: [paid], selectors: [] }), { kind: 'badResponse' });
    }
  });
});

describe('Names of events', () => {
  const by = word(BigInt(address));
  const log = (topics: readonly Hex[], data: Hex) => ({ address, topics: [paid, ...topics], data });

  async function storeWith(counts: readonly number[], names = [name('Paid(address,uint256)')]) {
    const { source, asked } = await opened(() => result({ [paid]: names }));
    const store = createSignatureCache();
    let found = 0;
    const want = (topics: readonly number[]) =>
      store.prefetch(
        { events: new Map([[paid, new Set(topics)]]), selectors: [] },
        { source, onFound: () => found++ },
      );
    await want(counts);
    const decode = (given: ReturnType<typeof log>) =>
      createLogDecoder({ lookup: store.lookup, chainId: 1 }).decode(given);
    return { decode, want, asked, found: () => found };
  }

  it('are decoded with the one placement of indexed that fits', async () => {
    const { decode } = await storeWith([2]);
    const decoded = decode(log([word(2n ** 255n)], by));
    assert.ok('event' in decoded);
    assert.deepEqual(pick(decoded.event.inputs, 'indexed'), [false, true]);
    assert.deepEqual(
      [decoded.origin.trust, decoded.origin.from, decoded.others],
      ['signatures', 'n.example', []],
    );
  });

  it('stand with others where more than one fits, and not at all where none does', async () => {
    const { decode } = await storeWith([2]);
    const either = decode(log([by], word(5n)));
    assert.ok('event' in either);
    assert.equal(either.others.length, 1);
    assert.ok('reason' in decode(log([word(2n ** 255n)], word(2n ** 255n))));
    assert.ok('reason' in decode(log([by], `${word(5n)}00`)));
  });

  it('are asked for once, and decoded with every number of topics that was seen', async () => {
    const { decode, want, asked, found } = await storeWith([2]);
    assert.ok('reason' in decode(log([by, word(1)], '0x')));
    await want([3]);
    assert.ok('event' in decode(log([by, word(1)], '0x')));
    await want([2, 3]);
    assert.deepEqual([asked.length, found()], [1, 2]);
  });

  it('say nothing where there are too many placements to try all', async () => {
    const many = `Paid(${Array(12).fill('uint256').join()})`;
    const { source } = await opened(() => result({ [toEventSelector(many)]: [name(many)] }));
    const store = createSignatureCache();
    const topic0 = toEventSelector(many);
    await store.prefetch({ events: new Map([[topic0, new Set([4, 1])]]), selectors: [] }, { source });
    assert.deepEqual(
      store.lookup.events(topic0).map(({ item }) => item.inputs.filter(({ indexed }) => indexed).length),
      [0],
    );
  });

  it('and of selectors explain calls and reverts', async () => {
    const data = `${toFunctionSelector('f(uint256)')}${word(1).slice(2)}` as Hex;
    const { source } = await opened(() => result({}, { [data.slice(0, 10)]: [name('f(uint256)')] }));
    const store = createSignatureCache();
    await store.prefetch({ events: new Map(), selectors: [data.slice(0, 10) as Hex] }, { source });
    assert.deepEqual(pick(explainHex(data, { lookup: store.lookup }), 'kind'), ['calldata', 'revert']);
  });

  it('are asked for once by several at once, who all wait; what comes after all was forgotten does not count', async () => {
    let answer = () => {};
    const answered = new Promise<void>((resolve) => {
      answer = resolve;
    });
    const { source, asked } = await opened(() => result({ [paid]: [name('Paid(address,uint256)')] }));
    const slow: SignatureProvider = {
      ...source,
      names: async (...question) => answered.then(() => source.names(...question)),
    };
    const store = createSignatureCache();
    const wanted = { events: new Map([[paid, new Set([2])]]), selectors: [] };
    const first = store.prefetch(wanted, { source: slow });
    let isDone = false;
    const second = store.prefetch(wanted, { source: slow }).then(() => {
      isDone = true;
    });
    await new Promise(setImmediate);
    assert.equal(isDone, false);
    store.clear();
    answer();
    await Promise.all([first, second]);
    assert.deepEqual([asked.length, store.lookup.events(paid)], [1, []]);
  });

  it('are asked for again after a failure that may pass, and not after another', async () => {
    for (const [status, times] of [
      [500, 4],
      [400, 1],
    ] as const) {
      let count = 0;
      const { source } = await opened(() => {
        count++;
        return new Response('', { status });
      });
      const store = createSignatureCache();
      const failures: string[] = [];
      const want = () =>
        store.prefetch(
          { events: new Map([[paid, new Set([2])]]), selectors: [] },
          { source, onFailure: ({ kind: failed }) => failures.push(failed) },
        );
      await want();
      const before = count;
      await want();
      assert.equal(count > before, times > 1);
      assert.equal(failures.length, times > 1 ? 2 : 1);
    }
  });
});
