import assert from 'node:assert/strict';
import {
  MAX_MESSAGE_CHARS,
  truncateServerData,
  truncateServerMessage,
} from '../../../../src/core/http/response.ts';
import { AppError, createChainClient, type FetchLike, parseLogFilter } from '../../../../src/core/index.ts';
import { probeDialect } from '../../../../src/core/logs/engine/probeServer.ts';
import { parseRangeLimitError } from '../../../../src/core/logs/engine/refusals.ts';
import { createContractCaller } from '../../../../src/core/rpc/ethCall.ts';
import { createRpcClient } from '../../../../src/core/rpc/rpcClient.ts';
import { createTestClock } from '../../../support/clocks.ts';

const ADDRESS = '0x5aaeb6053f3e94c9b9a09f33669435e7ef1beaed';
const MILLION = 1_000_000;
const url = 'http://explorer.test/api/eth-rpc';

/** A server that answers every call with the same body, whatever is asked. */
function createFetch(answer: (id: number, method: string) => Response): FetchLike {
  return async (_url, { body }) => {
    if (body === undefined) return Response.json('Page not found', { status: 404 });
    const { id, method } = JSON.parse(body);
    return answer(id, method);
  };
}

const rpcOf = (fetch: FetchLike) => createRpcClient({ fetch, clock: createTestClock(), url });

async function errorOf(promise: Promise<unknown>): Promise<AppError> {
  const error = await promise.then(
    () => undefined,
    (cause: unknown) => cause,
  );
  assert.ok(error instanceof AppError);
  return error;
}

describe('words of a server', () => {
  it('are cut to what is looked at, and never within a character', () => {
    assert.equal(truncateServerMessage('no'), 'no');
    assert.equal(truncateServerMessage('x'.repeat(MAX_MESSAGE_CHARS)).length, MAX_MESSAGE_CHARS);
    assert.equal(truncateServerMessage('x'.repeat(MILLION)), 'x'.repeat(MAX_MESSAGE_CHARS));
    const faces = truncateServerMessage(`x${'😀'.repeat(MAX_MESSAGE_CHARS)}`);
    assert.equal(faces.length, MAX_MESSAGE_CHARS - 1);
    assert.doesNotMatch(faces, /\p{Cs}/u);
  });

  it('are cut in the data of an error, of which only a little is kept', () => {
    const long = 'f'.repeat(MILLION);
    assert.deepEqual(
      truncateServerData({ from: '0x1', to: long, limit: 3, more: { deep: long }, list: [long] }),
      {
        ...{ from: '0x1', to: 'f'.repeat(MAX_MESSAGE_CHARS), limit: 3 },
      },
    );
    assert.equal(truncateServerData([long]), undefined);
    assert.equal(String(truncateServerData(long)).length, MAX_MESSAGE_CHARS);
    const many = Object.fromEntries(Array.from({ length: 5000 }, (_, index) => [`k${index}`, index]));
    assert.equal(Object.keys(truncateServerData(many) as object).length, 16);
  });

  // As long as a refusal may be to be looked into at all.
  const words = `no ${'w'.repeat(200_000)}`;
  const bodies: Readonly<Record<string, (id: number) => Response>> = {
    'a bare string': (id) => Response.json({ jsonrpc: '2.0', id, error: words }),
    'an error object': (id) =>
      Response.json({ jsonrpc: '2.0', id, error: { code: -32000, message: words, data: { words } } }),
    'the error of a 400': (id) =>
      Response.json({ jsonrpc: '2.0', id, error: { code: -32000, message: words } }, { status: 400 }),
    'the message of a 403': () => Response.json({ message: words }, { status: 403 }),
    'the bare string of a 403': () => Response.json(words, { status: 403 }),
  };
  for (const [what, answer] of Object.entries(bodies)) {
    it(`are short in whatever ${what} becomes`, async () => {
      const large = { maxBytes: 8 * MILLION, retries: 0 };
      const error = await errorOf(rpcOf(createFetch(answer)).call('eth_getLogs', [], large));
      assert.ok((error.details.serverMessage ?? '').startsWith('no www'));
      assert.ok(JSON.stringify([error.message, error.details]).length < 4 * MAX_MESSAGE_CHARS);
    });
  }

  it('about its version are plain and short, and not read to an end that does not come', async () => {
    const versionOf = async (name: string) => {
      const fetch = createFetch((id, method) =>
        Response.json({
          jsonrpc: '2.0',
          id,
          ...(method === 'web3_clientVersion' ? { result: name } : { error: 'no' }),
        }),
      );
      const http = { fetch, clock: createTestClock() };
      return (await probeDialect(http, rpcOf(fetch), { signal: undefined })).dialect;
    };
    const { family, version } = await versionOf(`Geth\u202e${'v'.repeat(20_000)}`);
    assert.equal(family, 'node');
    assert.match(version ?? '', /^Geth<U\+202E>v{60,72}…$/);
    assert.equal((await versionOf('v'.repeat(2 * MILLION))).version, undefined);
  });
});

describe('what a server says of its limits', () => {
  it('is read to an end, however long it is', () => {
    for (const serverMessage of [
      `logs ${'1'.repeat(MILLION)}`,
      `limit of ${'1,'.repeat(MILLION / 2)}`,
      'logs '.repeat(MILLION / 5),
      'limit to a '.repeat(MILLION / 11),
      `exceeds 1${' '.repeat(MILLION)}`,
      'range 1'.repeat(MILLION / 7),
      '[0x1111111,'.repeat(MILLION / 11),
      `[0x${'1'.repeat(MILLION)}`,
    ])
      parseRangeLimitError(new AppError('rpc', 'no', { serverMessage, code: -32005 }), 1n);
  });

  const huge = '9'.repeat(400);
  const refusals: Readonly<Record<string, { serverMessage: string; data?: unknown }>> = {
    'a range': { serverMessage: `too many results, retry with the range 256-${huge}` },
    'a range of hex': { serverMessage: `too many results: [0x100, 0x${huge}]` },
    'a range of 17 digits': { serverMessage: 'too many results, retry with the range 256-99999999999999999' },
    'a range above 2^53': { serverMessage: 'too many results: [0x100, 0xffffffffffffffff]' },
    'a range in its data': { serverMessage: 'too many results', data: { from: '0x100', to: `0x${huge}` } },
    'a width': { serverMessage: `block range limit is ${huge}` },
    'a width above 2^53': { serverMessage: 'block range limit is 9999999999999k' },
    'a number of logs': { serverMessage: `no more than ${huge} results` },
  };
  for (const [what, details] of Object.entries(refusals)) {
    it(`is left aside where no chain has such ${what}`, () => {
      const refusal = parseRangeLimitError(new AppError('rpc', 'no', { ...details, code: -32005 }), 0x100n);
      const { ofContent, ...numbers } = refusal ?? {};
      assert.deepEqual(Object.values(numbers), [undefined, undefined, undefined]);
    });
  }

  it('ends a query with 400 digits in its own words', async () => {
    const message = `query returned more than ${huge} results, retry with the range 0-${huge}`;
    const fetch = createFetch((id, method) =>
      method === 'eth_blockNumber'
        ? Response.json({ jsonrpc: '2.0', id, result: '0x5' })
        : Response.json({ jsonrpc: '2.0', id, error: { code: -32602, message } }),
    );
    const client = createChainClient({ fetch, clock: createTestClock(), url });
    const { logs, verdict } = await client.openLogQuery(parseLogFilter({ address: ADDRESS })).nextPage();
    assert.deepEqual(logs, []);
    assert.ok(verdict.reasons.some(({ code }) => code === 'blockNotWhole'));
  });
});

describe('what a server says of a call', () => {
  const answerOf = (message: string) =>
    createContractCaller(() => Promise.reject(new AppError('rpc', 'no', { serverMessage: message }))).call(
      ADDRESS,
      '0x',
    );

  it('is read to an end, however long it is', async () => {
    for (const message of ['not '.repeat(MILLION / 4), 'method '.repeat(MILLION / 7)])
      await errorOf(answerOf(message));
  });

  it('still tells a method that is not there', async () => {
    for (const message of [
      'Action not found.',
      'the method does not exist/is not available',
      'Method is not supported',
      'this is not\nsupported',
      'unknown method',
    ]) {
      assert.deepEqual(await answerOf(message), { state: 'notOffered' }, message);
    }
    await assert.rejects(answerOf('not now, but the method is there'), { kind: 'rpc' });
  });

  it('takes no state that is gone for a method that is not there', async () => {
    for (const message of [
      'missing trie node 0a1b (path ) state 0x0a1b is not available, not found',
      'historical state 0x0a1b is not available',
      'state at block #12 is not available',
      'archive requests are not allowed on this plan',
    ]) {
      await assert.rejects(answerOf(message), { kind: 'rpc' }, message);
    }
  });
});

describe('a number of a server that no chain reaches', () => {
  for (const result of ['0x20000000000000', `0x${'f'.repeat(64)}`]) {
    it(`is no latest block: ${result.slice(0, 20)}`, async () => {
      const client = createChainClient({
        fetch: createFetch((id) => Response.json({ jsonrpc: '2.0', id, result })),
        clock: createTestClock(),
        url,
      });
      await assert.rejects(client.getBlockNumber(), {
        kind: 'badResponse',
        message: /too large for a block number/,
      });
      const running = client.openLogQuery(parseLogFilter({ address: ADDRESS }));
      await assert.rejects(running.nextPage(), { kind: 'badResponse' });
    });
  }
});
