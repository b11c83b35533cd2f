import assert from 'node:assert/strict';
import type { ServerResponse } from 'node:http';
import { fetch as undiciFetch } from 'undici';
import { createMessage } from '../../../../../src/core/base/text.ts';
import {
  type AppError,
  createChainClient,
  type ErrorKind,
  type FetchLike,
  type HttpExchange,
  systemClock,
} from '../../../../../src/core/index.ts';
import { parseLogs } from '../../../../../src/core/logs/engine/parseLogs.ts';
import { createRowKeys } from '../../../../../src/core/logs/engine/rowChecks.ts';
import { createReasonList, describeReasons } from '../../../../../src/core/logs/query/verdict.ts';
import { createTestClock } from '../../../../support/clocks.ts';
import { createRow } from '../../../../support/fakeFetch.ts';
import { type RpcRequest, startRpcServer } from '../../../../support/loopbackServer.ts';
import '../../../../support/unoptimizedPatterns.ts';

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
    for (const blockTimestamp of [
      '-0x1',
      '0x0',
      0,
      '0xffffffffffffffff',
      'soon',
      '',
      {},
      [],
      true,
      -1,
      1.5,
      null,
    ]) {
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

  it('refuses what is no list', () => {
    for (const answer of [{}, 'no', 1]) assert.throws(() => parseLogs(answer), { kind: 'badLogs' });
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
      [createMessage('{0} and {1} more', '0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11', 4988), ''],
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

const fetch = undiciFetch as unknown as FetchLike;
const ADDRESS = '0x5aaeb6053f3e94c9b9a09f33669435e7ef1beaed';

async function withServer<T>(
  answer: (request: RpcRequest, response: ServerResponse) => unknown,
  task: (client: ReturnType<typeof createChainClient>, seen: RpcRequest[], waits: number[]) => Promise<T>,
): Promise<T> {
  const seen: RpcRequest[] = [];
  const clock = createTestClock();
  const server = await startRpcServer((request, response) => {
    seen.push(request);
    return answer(request, response);
  });
  try {
    return await task(createChainClient({ fetch, clock, url: `${server.url}/v3/SECRET` }), seen, clock.waits);
  } finally {
    await server.close();
  }
}

const failsWith = (kind: ErrorKind) => (error: AppError) => {
  assert.equal(error.kind, kind, error.message);
  assert.doesNotMatch(`${error.message} ${error.stack}`, /SECRET/);
  return true;
};

function plain(response: ServerResponse, status: number, body: string, headers: Record<string, string> = {}) {
  response.writeHead(status, headers).end(body);
}

describe('JSON-RPC client', () => {
  it('reads the latest block', async () => {
    await withServer(
      ({ id }) => ({ jsonrpc: '2.0', id, result: '0x2a15c308d' }),
      async (client, seen) => {
        assert.equal(await client.getBlockNumber(), 11297108109n);
        assert.deepEqual(seen[0]?.params, []);
        assert.ok((seen[0]?.id ?? 0) > 0);
      },
    );
  });

  it('takes the id of its request as a string too, and no other one', async () => {
    await withServer(
      ({ id }) => ({ jsonrpc: '2.0', id: String(id), result: '0x5' }),
      async (client) => assert.equal(await client.getBlockNumber(), 5n),
    );
    await withServer(
      ({ id }) => ({ jsonrpc: '2.0', id: `0${id}`, result: '0x5' }),
      (client) => assert.rejects(client.getBlockNumber(), failsWith('badResponse')),
    );
  });

  it('takes an error for one whatever of it is null or of another type', async () => {
    for (const error of [{ code: null, message: null }, { code: '-32000', message: ['no'] }, {}]) {
      await withServer(
        ({ id }) => ({ jsonrpc: '2.0', id, result: null, error }),
        (client) => assert.rejects(client.getBlockNumber(), failsWith('rpc')),
      );
    }
  });

  it('tells unknown, zero and failed balances apart', async () => {
    const results: unknown[] = [
      { error: 'Balance not found' },
      { error: { code: -32602, message: 'Balance not found.' } },
      { result: '0x0' },
      { result: '0xde0b6b3a7640001' },
    ];
    await withServer(
      ({ id }) => ({ jsonrpc: '2.0', id, ...(results.shift() as object) }),
      async (client, seen) => {
        assert.deepEqual(await client.getBalance(ADDRESS), { state: 'unknown' });
        assert.deepEqual(await client.getBalance(ADDRESS), { state: 'unknown' });
        assert.deepEqual(await client.getBalance(ADDRESS), { state: 'known', wei: 0n });
        assert.deepEqual(await client.getBalance(ADDRESS), { state: 'known', wei: 1000000000000000001n });
        assert.deepEqual(seen[0]?.params, [ADDRESS, 'latest']);
      },
    );
    await withServer(
      ({ id }) => ({ jsonrpc: '2.0', id, error: "Query parameter 'address' is invalid" }),
      (client) => assert.rejects(client.getBalance(ADDRESS), failsWith('rpc')),
    );
  });

  const broken: readonly [string, ErrorKind, (request: RpcRequest, response: ServerResponse) => unknown][] = [
    ['HTML', 'badResponse', (_, response) => plain(response, 200, '<html>', { 'content-type': 'text/html' })],
    ['truncated JSON', 'badResponse', () => '{"jsonrpc":"2.0","id":1,"res'],
    ['no result', 'badResponse', ({ id }) => ({ jsonrpc: '2.0', id })],
    ['null result', 'badResponse', ({ id }) => ({ jsonrpc: '2.0', id, result: null })],
    ['a result of the wrong type', 'badResponse', ({ id }) => ({ jsonrpc: '2.0', id, result: { a: 1 } })],
    ['a number that is no quantity', 'badResponse', ({ id }) => ({ jsonrpc: '2.0', id, result: 17 })],
    ['a list', 'badResponse', () => [1, 2]],
    ['a bare string', 'badResponse', () => '"hello"'],
    ['the wrong id', 'badResponse', ({ id }) => ({ jsonrpc: '2.0', id: id + 1, result: '0x1' })],
    ['an error string', 'rpc', ({ id }) => ({ jsonrpc: '2.0', id, error: 'Action not found.' })],
    ['an error object', 'rpc', ({ id }) => ({ jsonrpc: '2.0', id, error: { code: -32601, message: 'no' } })],
    [
      'an error that says that it passes',
      'server',
      ({ id }) => {
        const error = { code: 19, message: 'Temporary internal error. Please retry, trace-id: 1a' };
        return { jsonrpc: '2.0', id, error };
      },
    ],
    [
      'a revert that says so',
      'rpc',
      ({ id }) => ({ jsonrpc: '2.0', id, error: { code: 3, message: 'execution reverted: please retry' } }),
    ],
    [
      'a server that is busy',
      'server',
      ({ id }) => ({
        jsonrpc: '2.0',
        id,
        error: { code: -32000, message: 'Node is syncing, try again later' },
      }),
    ],
    [
      'a refusal of the size that asks for another request',
      'rpc',
      ({ id }) => ({
        ...{ jsonrpc: '2.0', id },
        error: { code: -32000, message: 'Too many results. Please retry with a smaller block range.' },
      }),
    ],
    ['401', 'unauthorized', (_, response) => plain(response, 401, '')],
    ['403', 'forbidden', (_, response) => plain(response, 403, '<html>')],
    ['404', 'notFound', (_, response) => plain(response, 404, '"Page not found"')],
    ['500', 'server', (_, response) => plain(response, 500, '"Internal server error"')],
    ['503', 'unavailable', (_, response) => plain(response, 503, '<html>')],
    [
      'a redirect',
      'redirected',
      (_, response) => plain(response, 301, '', { location: 'http://127.0.0.1:1/x' }),
    ],
    ['a reset connection', 'network', (_, response) => void response.socket?.destroy()],
  ];
  for (const [what, kind, answer] of broken) {
    it(`ends in ${kind} on ${what}`, () =>
      withServer(answer, (client) => assert.rejects(client.getBlockNumber(), failsWith(kind))));
  }

  it('waits as long as a 429 asks, then goes on', async () => {
    const headers = [{ 'retry-after': '3' }, { 'x-ratelimit-reset': '1500' }, undefined];
    await withServer(
      ({ id }, response) => {
        const limited = headers.shift();
        if (!limited) return { jsonrpc: '2.0', id, result: '0x5' };
        return plain(response, 429, '{"status":"0","message":"Too Many Requests","result":null}', limited);
      },
      async (client, seen, waits) => {
        assert.equal(await client.getBlockNumber(), 5n);
        assert.deepEqual(waits, [3000, 1500]);
        assert.equal(seen.length, 3);
      },
    );
  });

  it('does not schedule on the -1 of a server without limits, and gives up after its tries', async () => {
    await withServer(
      (_, response) => plain(response, 429, '{"message":"slow down"}', { 'x-ratelimit-reset': '-1' }),
      async (client, seen, waits) => {
        await assert.rejects(client.getBlockNumber(), (error: AppError) => {
          assert.equal(error.details.serverMessage, 'slow down');
          return failsWith('rateLimited')(error);
        });
        assert.equal(seen.length, 3);
        assert.ok(waits.every((ms) => ms > 0 && ms <= 600));
      },
    );
  });

  it('reads the JSON-RPC error that providers put into a 400 or 413', async () => {
    await withServer(
      ({ id }, response) =>
        plain(
          response,
          413,
          JSON.stringify({ id, error: { code: -32614, message: 'limited to a 10,000 range' } }),
        ),
      (client) =>
        assert.rejects(client.getBlockNumber(), (error: AppError) => {
          assert.equal(error.details.code, -32614);
          return failsWith('rpc')(error);
        }),
    );
  });

  it('takes a 401 for a wrong key, whatever it says of blocks', () =>
    withServer(
      ({ id }, response) => {
        const error = { code: -32000, message: 'Must be authenticated to read archive blocks.' };
        return plain(response, 401, JSON.stringify({ jsonrpc: '2.0', id, error }));
      },
      (client) => assert.rejects(client.getBlockNumber(), failsWith('unauthorized')),
    ));

  for (const status of [403, 404, 408, 429]) {
    it(`reads the refusal of blocks that providers put into a ${status}`, () =>
      withServer(
        ({ id }, response) => {
          const error = { code: -32602, message: 'Archive requests of old blocks require a personal token.' };
          return plain(response, status, JSON.stringify({ jsonrpc: '2.0', id, error }));
        },
        (client) => assert.rejects(client.getBlockNumber(), failsWith('rpc')),
      ));
  }

  it('refuses a body over the limit without reading it to its end', async () => {
    let sent = 0;
    await withServer(
      (_, response) => {
        const chunk = Buffer.alloc(1024 * 1024, 0x20);
        const write = () => {
          while (sent < 50) {
            sent++;
            if (!response.write(chunk)) return void response.once('drain', write);
          }
          response.end();
        };
        write();
      },
      (client) => assert.rejects(client.getBlockNumber(), failsWith('tooLarge')),
    );
    assert.ok(sent < 50, `read ${sent} MiB`);
  });

  it('refuses an answer of more values or logs than any server gives, and looks into a short refusal alone', async () => {
    const filter = { jsonrpc: '2.0', id: 1 };
    const answers: readonly (readonly [status: number, body: string, kind: ErrorKind])[] = [
      [200, `{"jsonrpc":"2.0","id":1,"result":[${'{},'.repeat(4_000_000)}{}]}`, 'tooLarge'],
      [200, `{"jsonrpc":"2.0","id":1,"result":${'['.repeat(4_000_000)}`, 'tooLarge'],
      [200, ' '.repeat(17 * 1024 * 1024), 'tooLarge'],
      [
        400,
        JSON.stringify({ ...filter, error: { code: -32000, message: 'x'.repeat(1_000_000) } }),
        'badResponse',
      ],
    ];
    for (const [status, body, kind] of answers) {
      await withServer(
        (_, response) => plain(response, status, body),
        async (client) => {
          await assert.rejects(client.getBlockNumber({ retries: 0 }), (error: AppError) => {
            assert.equal(error.details.serverMessage, undefined);
            return failsWith(kind)(error);
          });
        },
      );
    }
    const logs = Array(20_001).fill({});
    assert.throws(() => parseLogs(logs), failsWith('tooLarge'));
  });

  it('gives up on a server that hangs, and on a caller that cancels', async () => {
    await withServer(
      () => undefined,
      async (client) => {
        const cancel = new AbortController();
        const cancelled = assert.rejects(
          client.getBlockNumber({ signal: cancel.signal }),
          failsWith('aborted'),
        );
        setTimeout(() => cancel.abort(), 20);
        await cancelled;
        const limited = createChainClient({
          fetch,
          url: client.url,
          timeoutMs: 30,
          clock: { ...systemClock, sleep: (ms) => new Promise((resolve) => setTimeout(resolve, ms)) },
        });
        await assert.rejects(limited.getBlockNumber(), failsWith('timeout'));
      },
    );
  });

  it('reports each exchange by origin and outcome only', async () => {
    const exchanges: HttpExchange[] = [];
    const server = await startRpcServer(({ id }) => ({ jsonrpc: '2.0', id, result: '0x1' }));
    const client = createChainClient({
      fetch,
      clock: createTestClock(),
      url: `${server.url}/v3/SECRET?key=SECRET`,
      onExchange: (exchange) => exchanges.push(exchange),
    });
    await client.getBlockNumber();
    await server.close();
    assert.equal(exchanges[0]?.outcome, 200);
    assert.equal(exchanges[0]?.origin, server.url);
    assert.doesNotMatch(JSON.stringify(exchanges), /SECRET/);
  });
});
