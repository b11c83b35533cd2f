import assert from 'node:assert/strict';
import { type Address, createChainClient, type FetchLike } from '../../../src/core/index.ts';
import { createTestClock } from '../../support/clocks.ts';
import type { RpcRequest } from '../../support/loopbackServer.ts';

const TOKEN: Address = `0x${'c0'.repeat(20)}`;
const addresses = (count: number) =>
  Array.from({ length: count }, (_, i): Address => `0x${(i + 1).toString(16).padStart(40, '0')}`);

type Body = RpcRequest | readonly RpcRequest[];
type Answer = (request: RpcRequest) => object;

/** Each address has as many wei as it is, and a hundred times that of the token. */
const known: Answer = ({ id, method, params }) => {
  const [asked] = params as [string | { readonly data: string }];
  const last = (hex: string) => BigInt(`0x${hex.slice(-40)}`);
  const result =
    typeof asked === 'string'
      ? `0x${last(asked).toString(16)}`
      : `0x${(last(asked.data) * 100n).toString(16).padStart(64, '0')}`;
  assert.ok(method === 'eth_getBalance' || method === 'eth_call');
  return { jsonrpc: '2.0', id, result };
};
const refused = (id: number, code: number, message: string) => ({
  ...{ jsonrpc: '2.0', id },
  error: { code, message },
});

/** What a request gets; a failure of the network where it throws. */
type Door = (body: Body) => unknown;
const open: Door = (body) => (Array.isArray(body) ? body.map(known) : known(body as RpcRequest));
const tooLarge = (text = '') => new Response(text, { status: 413 });

/** What comes of asking `door`, and how many calls each request had. */
async function ask(
  door: Door,
  { natives, holders = [], rounds = 1 }: { natives: number; holders?: readonly Address[]; rounds?: number },
) {
  const sizes: number[] = [];
  const fetch: FetchLike = async (_url, { body = '' }) => {
    const asked: Body = JSON.parse(body);
    sizes.push([asked].flat().length);
    const answer = await door(asked);
    return answer instanceof Response ? answer : Response.json(answer);
  };
  const client = createChainClient({ url: 'http://node.example', clock: createTestClock(), fetch });
  const perRound: number[][] = [];
  let wei: readonly unknown[] = [];
  let amounts: readonly unknown[] = [];
  for (let round = 0; round < rounds; round++) {
    sizes.length = 0;
    const asked = {
      natives: addresses(natives),
      tokens: holders.map((holder) => ({ contract: TOKEN, holder })),
    };
    const read = await client.getBalances(asked, { retries: 0 });
    wei = await Promise.all(
      read.natives.map((one) =>
        one.then(
          (balance) => (balance.state === 'known' ? balance.wei : balance.state),
          (error) => error.kind,
        ),
      ),
    );
    amounts = await Promise.all(read.tokens);
    perRound.push([...sizes]);
  }
  return { perRound, wei, amounts, batches: client.dialect()?.batches };
}

const truth = (count: number) => Array.from({ length: count }, (_, i) => BigInt(i + 1));

describe('Many balances', () => {
  it('take one request, natives and tokens, whatever the order of the answers', async () => {
    const backwards: Door = (body) => Array.isArray(body) && [...body].reverse().map(known);
    const read = await ask(backwards, { natives: 50, holders: addresses(3) });
    assert.deepEqual(read, {
      ...{ perRound: [[53]], wei: truth(50), amounts: [100n, 200n, 300n], batches: 'taken' },
    });
  });

  it('take one request for each hundred, one after another', async () => {
    const read = await ask(open, { natives: 250 });
    assert.deepEqual([read.perRound, read.wei], [[[100, 100, 50]], truth(250)]);
  });

  it('go alone, four at a time, where batches are refused, which is found out once', async () => {
    let under = 0;
    const door: Door = async (body) => {
      if (Array.isArray(body)) return refused(0, -32600, 'no batches');
      assert.ok(under++ < 4, 'four requests are under way');
      await new Promise(setImmediate);
      under--;
      return known(body as RpcRequest);
    };
    const read = await ask(door, { natives: 7, rounds: 2 });
    assert.deepEqual(read.perRound, [
      [7, 4, 2, 1, 1, 1, 1, 1, 1, 1],
      [1, 1, 1, 1, 1, 1, 1],
    ]);
    assert.deepEqual([read.wei, read.batches], [truth(7), 'refused']);
  });

  it('go in smaller requests where a server takes fewer at once, which it is asked from then on', async () => {
    const door: Door = (body) => (Array.isArray(body) && body.length > 10 ? tooLarge() : open(body));
    const read = await ask(door, { natives: 20, rounds: 2 });
    assert.deepEqual(read.perRound, [
      [20, 10, 10],
      [10, 10],
    ]);
    assert.deepEqual([read.wei, read.batches], [truth(20), 'taken']);
  });

  it('go as many at once as the server says that it takes', async () => {
    const door: Door = (body) =>
      Array.isArray(body) && body.length > 5
        ? tooLarge('{"error":"Payload Too Large. Max batch size is 5"}')
        : open(body);
    const read = await ask(door, { natives: 12, rounds: 2 });
    assert.deepEqual(read.perRound, [
      [12, 5, 5, 2],
      [5, 5, 2],
    ]);
    assert.deepEqual(read.wei, truth(12));
  });

  it('go alone where each call of a batch is refused for being in one', async () => {
    const door: Door = (body) =>
      Array.isArray(body)
        ? body.map(({ id }) => refused(id, -32600, 'batch limit'))
        : known(body as RpcRequest);
    const read = await ask(door, { natives: 3 });
    assert.deepEqual([read.perRound, read.wei, read.batches], [[[3, 2, 1, 1, 1]], truth(3), 'refused']);
  });

  it('fail one by one where one is refused, and tell unknown from zero', async () => {
    const odd: Answer = (request) => {
      const nth = Number(request.params[0]);
      if (nth === 2) return refused(request.id, -32602, 'Balance not found');
      return nth === 3 ? refused(request.id, -32000, 'no') : known(request);
    };
    const read = await ask((body) => Array.isArray(body) && body.map(odd), { natives: 4 });
    assert.deepEqual([read.perRound, read.wei], [[[4]], [1n, 'unknown', 'rpc', 4n]]);
  });

  it('fail all at once where the server is not reached or asks to wait, for one request', async () => {
    const limited = await ask(() => new Response('', { status: 429 }), { natives: 50 });
    assert.deepEqual([limited.perRound, new Set(limited.wei)], [[[50]], new Set(['rateLimited'])]);
    let calls = 0;
    const gone: Door = (body) => {
      if (calls++ > 0) throw new TypeError('fetch failed');
      return open(body);
    };
    const later = await ask(gone, { natives: 50, rounds: 2 });
    assert.deepEqual([later.perRound, new Set(later.wei)], [[[50], [50]], new Set(['network'])]);
  });

  it('are asked alone where the first batch fails in a way that may be of the moment, and together the next time', async () => {
    let failures = 1;
    const door: Door = (body) =>
      Array.isArray(body) && failures-- > 0 ? new Response('', { status: 500 }) : open(body);
    const read = await ask(door, { natives: 3, rounds: 2 });
    assert.deepEqual([read.perRound, read.wei, read.batches], [[[3, 1, 1, 1], [3]], truth(3), 'taken']);
  });

  it('know a contract that is no token any more', async () => {
    const gone: Answer = (request) => {
      const result = request.method === 'eth_call' ? { result: '0x' } : {};
      return { ...known(request), ...result };
    };
    const read = await ask((body) => Array.isArray(body) && body.map(gone), {
      ...{ natives: 1, holders: addresses(1) },
    });
    assert.deepEqual(read.amounts, [undefined]);
  });
});
