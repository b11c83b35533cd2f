import assert from 'node:assert/strict';
import { type JsonObject, type OperationDeps, runOperation } from '../../../../src/core/index.ts';
import { createNodeFetch, createTestDeps, type ServedLog } from '../../../support/operationDeps.ts';

const TOKEN = `0x${'11'.repeat(20)}`;
const OTHER = `0x${'22'.repeat(20)}`;
const TRANSFER = '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef';
/** ERC-2309. */
const CONSECUTIVE_TRANSFER = '0xdeaa91b6123d068f5821d0fb0678463d1a8a6079fe8af5de3ce5e896dcf9133d';
const word = (value: number | string) => `0x${BigInt(value).toString(16).padStart(64, '0')}`;
const holderOf = (at: number) => `0x${(0xa000 + at).toString(16).padStart(40, '0')}`;

/** Mints 100 and more, one in each block from 1 on. */
const mints = (count: number, address = TOKEN): readonly ServedLog[] =>
  Array.from({ length: count }, (_, at) => ({
    ...{ block: at + 1, address, topics: [TRANSFER, word(0), word(holderOf(at))] },
    data: word(100 + at),
  }));

const argumentsOf = ({ next_call }: JsonObject) =>
  (next_call as { readonly arguments: JsonObject }).arguments;
const textOf = ({ reasons }: JsonObject) => (reasons as readonly string[]).join(' ');

interface Row {
  readonly number?: string;
  readonly hash?: string;
  readonly blockNumber?: string;
}

interface Response {
  readonly result?: unknown;
}

describe('Pages of events after a reorg between the first two', () => {
  /** Four pages of 5 rows; after the first one, blocks from `forkAt` on have other hashes. */
  async function pagesOf(order: string, forkAt: number): Promise<readonly JsonObject[]> {
    let forked = false;
    const isForked = (block: string | undefined) => forked && Number(block) >= forkAt;
    const replace = (row: Row): Row => {
      const [block, hash] = row.hash ? [row.number, 'hash'] : [row.blockNumber, 'blockHash'];
      return isForked(block) ? { ...row, [hash]: word(5000 + Number(block)) } : row;
    };
    const replaceIn = (response: Response): Response => {
      const { result } = response;
      if (Array.isArray(result)) return { ...response, result: result.map(replace) };
      return result instanceof Object ? { ...response, result: replace(result as Row) } : response;
    };
    const inner = createNodeFetch(mints(20));
    const fetch: typeof inner.fetch = async (url, init) => {
      const json = (await (await inner.fetch(url, init)).json()) as Response | readonly Response[];
      return globalThis.Response.json(
        Array.isArray(json) ? json.map(replaceIn) : replaceIn(json as Response),
      );
    };
    const deps = await createTestDeps(fetch);
    const pages: JsonObject[] = [];
    let input: object = { address: TOKEN, mode: 'rows', limit: 5, order };
    for (let page = 0; page < 4; page++) {
      const result = await runOperation({ name: 'query_events', input }, deps);
      pages.push(result);
      forked = true;
      if (page < 3) input = argumentsOf(result);
    }
    return pages;
  }

  for (const [order, forkAt] of [
    ['oldestFirst', 4],
    ['newestFirst', 18],
  ] as const) {
    it(`all say so from the second on, ${order}`, async () => {
      const [first, ...later] = await pagesOf(order, forkAt);
      assert.doesNotMatch(textOf(first ?? {}), /reorganized/);
      for (const page of later)
        assert.match(textOf(page), /A row of an earlier page is no longer in block \d+: the chain was reorg/);
      assert.deepEqual(
        later.map(({ complete }) => complete),
        [false, false, 'unknown'],
      );
    });
  }

  it('say nothing where it is above all returned rows', async () => {
    const pages = await pagesOf('newestFirst', 21);
    assert.deepEqual([pages.at(-1)?.complete, pages.map(textOf).join(' ').includes('reorg')], [true, false]);
  });
});

it('A cursor of events is refused on another chain', async () => {
  const { fetch } = createNodeFetch(mints(10));
  const input = { address: TOKEN, mode: 'rows', limit: 5 };
  const first = await runOperation({ name: 'query_events', input }, await createTestDeps(fetch));
  const other = await createTestDeps(fetch, { chainId: async () => 5 });
  const next = await runOperation({ name: 'query_events', input: argumentsOf(first) }, other);
  assert.match(JSON.stringify(next.error), /the network is another one/);
});

describe('Pages of rebuilt state', () => {
  /** A node with two tokens, whose balances and supply `supply` raises. */
  async function openTokens(options: { lost?: number | undefined; supply: bigint }): Promise<OperationDeps> {
    const all = [...mints(8), ...mints(8, OTHER)];
    const serve = (method: string, params: readonly unknown[]): unknown => {
      if (method === 'eth_getCode') return '0x6080';
      if (method !== 'eth_call') return undefined;
      const { to, data = '' } = params[0] as { readonly to: string; readonly data?: string };
      const logs = all.filter(({ address }) => address === to);
      const amount = (of: readonly ServedLog[]) => of.reduce((sum, log) => sum + BigInt(log.data ?? 0), 0n);
      if (data.startsWith('0x18160ddd')) return word(String(amount(logs) + options.supply));
      if (data.startsWith('0x70a08231'))
        return word(String(amount(logs.filter(({ topics }) => topics[2] === `0x${data.slice(10)}`))));
      throw { code: 3, message: 'execution reverted', data: '0x' };
    };
    const fetch: Parameters<typeof createTestDeps>[0] = (...request) =>
      createNodeFetch(
        all.filter(({ block }) => block !== options.lost),
        { other: serve },
      ).fetch(...request);
    return createTestDeps(fetch);
  }
  const ask = (input: object, deps: OperationDeps) => runOperation({ name: 'get_state', input }, deps);
  const holders = { kind: 'holders', address: TOKEN, limit: 5 };

  it('repeat the reasons of the earlier ones', async () => {
    const options = { supply: 7n };
    const deps = await openTokens(options);
    const first = await ask(holders, deps);
    assert.match(textOf(first), /The total supply is/);
    options.supply = 0n;
    const second = await ask(argumentsOf(first), deps);
    assert.deepEqual([second.complete, second.confirmed], ['unknown', false]);
    assert.match(textOf(second), /The total supply is/);
    const sound = await ask(holders, deps);
    const rest = await ask(argumentsOf(sound), deps);
    assert.deepEqual([rest.confirmed, textOf(rest)], [sound.confirmed, '']);
  });

  it('are refused where the rows are not those of the earlier ones', async () => {
    const options: { lost?: number | undefined; supply: bigint } = { lost: 8, supply: 0n };
    const deps = await openTokens(options);
    const first = await ask(holders, deps);
    options.lost = undefined;
    const second = await ask(argumentsOf(first), deps);
    assert.match(JSON.stringify(second.error), /not those of the earlier pages/);
  });

  it('go on after a thousand rows, and are refused where one of the first is another', async () => {
    let owner = holderOf(1);
    const deps = await createTestDeps((...request) => {
      // ERC-2309: the tokens from the first to the second ID.
      const move = (first: number, last: number, to: string) => ({
        ...{ block: 1, address: TOKEN, topics: [CONSECUTIVE_TRANSFER, word(first), word(0), word(to)] },
        data: word(last),
      });
      const logs = [move(0, 4, owner), move(5, 1149, holderOf(2))];
      const code = (method: string) => (method === 'eth_getCode' ? '0x6080' : undefined);
      return createNodeFetch(logs, { other: code }).fetch(...request);
    });
    let page = await ask({ ...holders, limit: 100 }, deps);
    const ids: unknown[] = [];
    const list = (each: JsonObject) =>
      (each.rows as readonly { readonly tokenId: string }[]) ?? assert.fail(JSON.stringify(each));
    for (; page.next_call; page = await ask(argumentsOf(page), deps)) {
      ids.push(...list(page).map(({ tokenId }) => Number(tokenId)));
      if (ids.length < 1100) continue;
      owner = holderOf(3);
      assert.match(JSON.stringify((await ask(argumentsOf(page), deps)).error), /not those of the earlier/);
      owner = holderOf(1);
    }
    ids.push(...list(page).map(({ tokenId }) => Number(tokenId)));
    assert.deepEqual(
      ids,
      Array.from({ length: 1150 }, (_, id) => id),
    );
  });

  it('are refused with a cursor of another token, kind or owner', async () => {
    const deps = await openTokens({ supply: 0n });
    const next = argumentsOf(await ask(holders, deps));
    for (const change of [{ address: OTHER }, { kind: 'allowances' }]) {
      const { error } = await ask({ ...next, ...change }, deps);
      assert.match(JSON.stringify(error), /The cursor belongs to other state/, JSON.stringify(change));
    }
  });
});
