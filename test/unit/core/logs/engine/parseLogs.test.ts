import assert from 'node:assert/strict';
import { ownWord } from '../../../../../src/core/base/ownText.ts';
import { createMessage } from '../../../../../src/core/base/text.ts';
import {
  type AppError,
  createChainClient,
  type ErrorKind,
  type FetchLike,
  type HttpExchange,
} from '../../../../../src/core/index.ts';
import { mergeLogs, parseLogs } from '../../../../../src/core/logs/engine/parseLogs.ts';
import { createRowKeys } from '../../../../../src/core/logs/engine/rowChecks.ts';
import { createReasonList, describeReasons } from '../../../../../src/core/logs/query/verdict.ts';
import { createTestClock } from '../../../../support/clocks.ts';
import { createRow } from '../../../../support/fakeFetch.ts';

describe('rows of several responses', () => {
  const [one, other] = ['1', '2'].map((digit) => `0x${digit.repeat(64)}`);
  // On some chains, the index of a log repeats within a block.
  const differing = [[], [one], [other], [one, other], [other, one]].flatMap((topics) =>
    ['0x', '0x01'].map((data) => createRow(1, 0, { topics, data })),
  );

  it('are each log once, in one order, whichever response has it', async () => {
    const clock = createTestClock();
    const read = (rows: readonly object[]) => parseLogs(structuredClone(rows)).logs;
    const expected = await mergeLogs([read(differing)], { clock });
    assert.equal(expected.length, differing.length);
    for (let at = 0; at < differing.length; at++) {
      const turned = [...differing.slice(at), ...differing.slice(0, at)];
      const parts = [read(turned.slice(3)), read(turned.slice(0, 6)), read([...turned, createRow(2, 0)])];
      const merged = await mergeLogs(parts, { clock });
      assert.deepEqual(merged.slice(0, -1), expected);
      assert.deepEqual(merged.at(-1)?.blockNumber, 2n);
    }
  });
});

describe('reading of an answer to eth_getLogs', () => {
  const broken: readonly [string, object, string][] = [
    ['a log index of 2^32', { logIndex: '0x100000000' }, 'logIndex'],
    ['a log index of 2^53', { logIndex: '0x20000000000000' }, 'logIndex'],
    ['a transaction index of 2^32', { transactionIndex: 2 ** 32 }, 'transactionIndex'],
    ['a block number of 2^53', { blockNumber: '0x20000000000000' }, 'blockNumber'],
    ['a topic of 31 bytes', { topics: [`0x${'0'.repeat(62)}`] }, 'topics'],
    ['data of half a byte', { data: '0x0' }, 'data'],
  ];
  for (const [what, change, field] of broken) {
    it(`refuses ${what}, and names it`, () => {
      assert.throws(() => parseLogs([createRow(1, 0), createRow(1, 1, change)]), {
        kind: 'badLogs',
        message: `An entry in the response to eth_getLogs is not a log (${field}).`,
        details: { field },
      });
    });
  }

  it('takes null for no topics, as nodes in Go send it, and pads of null', () => {
    const topic = `0x${'1'.repeat(64)}`;
    const given = [null, [], [null, null], [topic, null]].map((topics, place) =>
      createRow(1, place, { topics }),
    );
    assert.deepEqual(
      parseLogs(given).logs.map(({ topics }) => topics),
      [[], [], [], [topic]],
    );
  });

  it('takes the highest places that are kept', () => {
    const [log] = parseLogs([createRow(1, 0xffff_ffff, { transactionIndex: '0xffffffff' })]).logs;
    assert.deepEqual([log?.logIndex, log?.transactionIndex], [0xffff_ffff, 0xffff_ffff]);
  });

  it('takes the time of a block that comes with a row, in milliseconds', () => {
    const given = { blockTimestamp: '0x65937f45' };
    const { logs } = parseLogs([createRow(1, 0, given), createRow(1, 1, given), createRow(2, 0)]);
    assert.deepEqual(
      logs.map(({ time }) => time),
      [0x65937f45 * 1000, 0x65937f45 * 1000, undefined],
    );
  });

  it('believes no times that go back with the blocks, or are two of one block', () => {
    const timesOf = (...rows: readonly (readonly [block: number, time: string | undefined])[]) =>
      parseLogs(
        rows.map(([block, blockTimestamp], place) => createRow(block, place, { blockTimestamp })),
      ).logs.map(({ time }) => time);
    assert.deepEqual(timesOf([1, '0x5'], [2, undefined], [3, '0x4']), [undefined, undefined, undefined]);
    assert.deepEqual(timesOf([1, '0x5'], [1, '0x6']), [undefined, undefined]);
    // Several blocks a second, and rows out of order, are as they should be.
    assert.deepEqual(timesOf([2, '0x5'], [3, '0x5'], [1, '0x4']), [4000, 5000, 5000]);
  });

  it('passes over what is no time, and keeps the row', () => {
    const others = ['-0x1', '0x0', 0, '0xffffffffffffffff', 'soon', '', {}, [], true, -1, 1.5, null];
    for (const blockTimestamp of others) {
      const [log] = parseLogs([createRow(1, 0, { blockTimestamp })]).logs;
      assert.equal(log && 'time' in log, false, String(blockTimestamp));
    }
    // Each row is looked at by itself where those of one block differ.
    const { logs } = parseLogs([
      createRow(1, 0, { blockTimestamp: '0x2' }),
      createRow(1, 1, { blockTimestamp: '0xzz' }),
    ]);
    assert.deepEqual(
      logs.map(({ time }) => time),
      [2000, undefined],
    );
  });

  it('refuses what is no list, and a list of more logs than any server gives', () => {
    for (const answer of [{}, 'no', 1]) assert.throws(() => parseLogs(answer), { kind: 'badLogs' });
    assert.throws(() => parseLogs(Array(20_001).fill({})), { kind: 'tooLarge' });
  });
});

describe('doubts of a query', () => {
  it('are named up to a number, counted beyond, and none twice', () => {
    const doubts = createReasonList();
    for (let block = 0n; block < 5000n; block++) doubts.add([{ code: 'forkRows', block }]);
    doubts.add([{ code: 'forkRows', block: 7n }, { code: 'headWentBack' }, { code: 'headWentBack' }]);
    const list = doubts.list();
    assert.equal(list.length, 101);
    assert.deepEqual(list[0], { code: 'forkRows', block: 0n, more: 4900 });
    assert.deepEqual(list.at(-1), { code: 'headWentBack' });
    assert.deepEqual(
      describeReasons(list).map(({ args }) => args.at(0)),
      [createMessage('{0} and {1} more', ownWord('0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11'), 4988), ''],
    );
  });
});

describe('prints of rows', () => {
  it('give back the place of each, in order', () => {
    const rows = [
      { blockHash: '0xa', blockNumber: 1n, logIndex: 0 },
      { blockHash: '0xa', blockNumber: 1n, logIndex: 9 },
      { blockHash: '0xb', blockNumber: 1n, logIndex: 9 },
      { blockHash: '0xc', blockNumber: 2n, logIndex: 3 },
    ] as const;
    const prints = createRowKeys();
    for (const row of rows) prints.add(row);
    assert.deepEqual([...prints.all()], rows);
  });
});

const ADDRESS = '0x5aaeb6053f3e94c9b9a09f33669435e7ef1beaed';

interface RpcCall {
  readonly id: number;
  readonly params: readonly unknown[];
}
type Answer = (call: RpcCall) => object | string;

/** A client of a server that answers so, and what it was asked. */
function clientOf(answer: Answer) {
  const seen: RpcCall[] = [];
  const exchanges: HttpExchange[] = [];
  const clock = createTestClock();
  const fetch: FetchLike = async (_url, { body }) => {
    const call: RpcCall = JSON.parse(body ?? '');
    seen.push(call);
    const given = answer(call);
    if (given instanceof Response) return given;
    return typeof given === 'string'
      ? new Response(given)
      : Response.json({ jsonrpc: '2.0', id: call.id, ...given });
  };
  const url = 'https://node.example/v3/SECRET?key=SECRET';
  const client = createChainClient({ fetch, clock, url, onExchange: (one) => exchanges.push(one) });
  return { client, seen, exchanges, waits: clock.waits };
}

const failsWith = (kind: ErrorKind) => (error: AppError) => {
  assert.equal(error.kind, kind, error.message);
  assert.doesNotMatch(`${error.message} ${error.stack}`, /SECRET/);
  return true;
};

const respond = (status: number, body: string, headers: Record<string, string> = {}) =>
  new Response(body, { status, headers });
const refuse = (message: string, code = -32000) => ({ error: { code, message } });
const refuseWith =
  (status: number, message: string, code?: number): Answer =>
  ({ id }) =>
    Response.json({ jsonrpc: '2.0', id, ...refuse(message, code) }, { status });

describe('JSON-RPC client', () => {
  it('reads the latest block, and reports the exchange by origin and outcome only', async () => {
    const { client, seen, exchanges } = clientOf(() => ({ result: '0x2a15c308d' }));
    assert.equal(await client.getBlockNumber(), 11297108109n);
    assert.deepEqual(seen[0]?.params, []);
    assert.ok((seen[0]?.id ?? 0) > 0);
    assert.deepEqual([exchanges[0]?.outcome, exchanges[0]?.origin], [200, 'https://node.example']);
    assert.doesNotMatch(JSON.stringify(exchanges), /SECRET/);
  });

  it('reads the latest block as decimal digits, with or without quotes', async () => {
    for (const result of ['2000', 2000, '0x7d0']) {
      assert.equal(await clientOf(() => ({ result })).client.getBlockNumber(), 2000n);
    }
  });

  it('takes the id of its request as a string too', async () => {
    const { client } = clientOf(({ id }) => ({ id: String(id), result: '0x5' }));
    assert.equal(await client.getBlockNumber(), 5n);
  });

  it('tells unknown, zero and failed balances apart', async () => {
    const results = [
      { error: 'Balance not found' },
      refuse('Balance not found.', -32602),
      { result: '0x0' },
      { result: '0xde0b6b3a7640001' },
      { error: "Query parameter 'address' is invalid" },
    ];
    const { client, seen } = clientOf(() => results.shift() ?? {});
    assert.deepEqual(await client.getBalance(ADDRESS), { state: 'unknown' });
    assert.deepEqual(await client.getBalance(ADDRESS), { state: 'unknown' });
    assert.deepEqual(await client.getBalance(ADDRESS), { state: 'known', wei: 0n });
    assert.deepEqual(await client.getBalance(ADDRESS), { state: 'known', wei: 1000000000000000001n });
    await assert.rejects(client.getBalance(ADDRESS), failsWith('rpc'));
    assert.deepEqual(seen[0]?.params, [ADDRESS, 'latest']);
  });

  const archive = 'Archive requests of old blocks require a personal token.';
  const broken: readonly (readonly [what: string, ErrorKind, Answer])[] = [
    ['HTML', 'badResponse', () => respond(200, '<html>', { 'content-type': 'text/html' })],
    ['truncated JSON', 'badResponse', () => '{"jsonrpc":"2.0","id":1,"res'],
    ['no result', 'badResponse', () => ({})],
    ['null result', 'badResponse', () => ({ result: null })],
    ['a result of the wrong type', 'badResponse', () => ({ result: { a: 1 } })],
    ['a number that is no quantity', 'badResponse', () => ({ result: 1.5 })],
    ['a list', 'badResponse', () => '[1,2]'],
    ['a bare string', 'badResponse', () => '"hello"'],
    ['the wrong id', 'badResponse', ({ id }) => ({ id: id + 1, result: '0x1' })],
    ['the wrong id as a string', 'badResponse', ({ id }) => ({ id: `0${id}`, result: '0x1' })],
    ['an error string', 'rpc', () => ({ error: 'Action not found.' })],
    ['an error object', 'rpc', () => refuse('no', -32601)],
    ['an error of nulls', 'rpc', () => ({ result: null, error: { code: null, message: null } })],
    ['an error of other types', 'rpc', () => ({ result: null, error: { code: '-32000', message: ['no'] } })],
    ['an empty error', 'rpc', () => ({ result: null, error: {} })],
    [
      'an error that passes',
      'server',
      () => refuse('Temporary internal error. Please retry, trace-id: 1a', 19),
    ],
    ['a revert that says so', 'rpc', () => refuse('execution reverted: please retry', 3)],
    ['a server that is busy', 'server', () => refuse('Node is syncing, try again later')],
    [
      'a refusal of the size',
      'rpc',
      () => refuse('Too many results. Please retry with a smaller block range.'),
    ],
    ['401', 'unauthorized', () => respond(401, '')],
    ['401, whatever it says of blocks', 'unauthorized', refuseWith(401, `Must be authenticated. ${archive}`)],
    ['403', 'forbidden', () => respond(403, '<html>')],
    ['404', 'notFound', () => respond(404, '"Page not found"')],
    ['500', 'server', () => respond(500, '"Internal server error"')],
    ['503', 'unavailable', () => respond(503, '<html>')],
    ['a redirect', 'redirected', () => respond(301, '', { location: 'http://127.0.0.1:1/x' })],
    ...[403, 404, 408, 429].map(
      (status) => [`${status} with a refusal of blocks`, 'rpc', refuseWith(status, archive)] as const,
    ),
  ];
  for (const [what, kind, answer] of broken) {
    it(`ends in ${kind} on ${what}`, () =>
      assert.rejects(clientOf(answer).client.getBlockNumber(), failsWith(kind)));
  }

  it('waits as long as a 429 asks, then goes on', async () => {
    const headers: Record<string, string>[] = [{ 'retry-after': '3' }, { 'x-ratelimit-reset': '1500' }];
    const { client, seen, waits } = clientOf(() => {
      const limited = headers.shift();
      return limited ? respond(429, '{"message":"Too Many Requests"}', limited) : { result: '0x5' };
    });
    assert.equal(await client.getBlockNumber(), 5n);
    // The latest block is requested twice at once.
    assert.deepEqual([waits, seen.length], [[3000, 1500], 4]);
  });

  it('does not schedule on the -1 of a server without limits, and gives up after its tries', async () => {
    const { client, seen, waits } = clientOf(() =>
      respond(429, '{"message":"slow down"}', { 'x-ratelimit-reset': '-1' }),
    );
    await assert.rejects(client.getBlockNumber(), (error: AppError) => {
      assert.equal(error.details.serverMessage, 'slow down');
      return failsWith('rateLimited')(error);
    });
    assert.equal(seen.length, 2 * 3);
    assert.ok(waits.every((ms) => ms > 0 && ms <= 600));
  });

  it('reads the JSON-RPC error that providers put into a 400 or 413', async () => {
    const { client } = clientOf(refuseWith(413, 'limited to a 10,000 range', -32614));
    await assert.rejects(client.getBlockNumber(), (error: AppError) => {
      assert.equal(error.details.code, -32614);
      return failsWith('rpc')(error);
    });
  });

  it('looks into a short refusal only', async () => {
    const { client } = clientOf(refuseWith(400, 'x'.repeat(1_000_000)));
    await assert.rejects(client.getBlockNumber({ retries: 0 }), (error: AppError) => {
      assert.equal(error.details.serverMessage, undefined);
      return failsWith('badResponse')(error);
    });
  });
});
