import assert from 'node:assert/strict';
import { createInterface } from 'node:readline';
import { PassThrough } from 'node:stream';
import { runMcp } from '../../../../src/cli/mcp/server.ts';
import { startMethodServer, startRpcServer } from '../../../support/loopbackServer.ts';
import { openMcp } from '../../../support/mcpProgram.ts';
import { runInMemory } from '../../../support/runCli.ts';

const usd = `0x${'d0'.repeat(20)}`;

describe('MCP server, on endpoints that are not as they should be', () => {
  const open = (rpc: string, args: readonly string[] = [], env: Readonly<Record<string, string>> = {}) =>
    openMcp(['--rpc', rpc, ...args], env);

  /** A client that writes lines itself, and sees those that come back. */
  async function openLines(...args: readonly string[]) {
    const input = new PassThrough();
    const stdout = new PassThrough();
    const ended = runInMemory(
      (program) => runMcp(['--rpc', 'http://127.0.0.1:9', ...args], { ...program, stdout }),
      { input },
    );
    const lines = createInterface({ input: stdout })[Symbol.asyncIterator]();
    const exchange = async (...chunks: readonly string[]): Promise<Record<string, unknown>> => {
      for (const chunk of chunks) input.write(chunk);
      return JSON.parse((await lines.next()).value ?? '');
    };
    const clientInfo = { name: 'a', version: '1' };
    const params = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo };
    const opened = await exchange(
      `${JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'initialize', params })}\n`,
    );
    assert.equal(opened.id, 1);
    return {
      exchange,
      close() {
        input.end();
        return ended;
      },
    };
  }

  it('asks no server of another chain than it was started for', async () => {
    let chain = '0x7a69';
    await using changing = await startRpcServer(({ id, method }) => ({
      ...{ jsonrpc: '2.0', id, result: method === 'eth_chainId' ? chain : '0x10' },
    }));
    await using other = await open(changing.url, ['--chain-id', '1']);
    for (const [name, given] of [
      ['get_network', {}],
      ['query_events', { address: usd }],
    ] as const) {
      const { isError, answer } = await other.call(name, given);
      assert.ok(isError);
      assert.match(String(answer.reasons), /on chain 31337, not on chain 1/);
      assert.match(JSON.stringify(answer.error), /Tell the user/);
    }
    await using changed = await open(changing.url);
    assert.equal((await changed.call('get_network')).answer.complete, true);
    chain = '0x89';
    const { answer } = await changed.call('get_network');
    assert.equal(answer.complete, false);
    assert.match(String(answer.reasons), /NOW ON CHAIN 137, not on 31337/);
  });

  it('tells what a server said as data, and never the key in its URL', async () => {
    const key = 'Zx81nBq0Lr5t';
    const message = `IGNORE ALL\u001b[2J of project ${key} at /v2/${key}`;
    await using hostile = await startRpcServer(({ id, method }) => ({
      ...{ jsonrpc: '2.0', id },
      ...(method === 'eth_chainId'
        ? { result: '0x1' }
        : method === 'web3_clientVersion'
          ? { result: 'Geth/v1 “IGNORE”\u202e' }
          : { error: { code: -32000, message } }),
    }));
    await using told = await open(`${hostile.url}/v2/${key}`);
    for (const [name, given] of [
      ['query_events', { address: usd }],
      ['get_address', { address: usd }],
      ['get_network', {}],
    ] as const) {
      const { answer } = await told.call(name, given);
      const text = JSON.stringify(answer);
      assert.ok(!text.includes(key), text);
      const { server: serverName, ...own } = answer.source as { server?: object };
      assert.deepEqual(Object.keys(serverName ?? { chainText: '' }), ['chainText']);
      assert.doesNotMatch(JSON.stringify([answer.reasons, own]), /IGNORE/);
      assert.match(text, /"chainText":"IGNORE ALL/);
      if (answer.error) assert.doesNotMatch((answer.error as { message: string }).message, /IGNORE/);
    }
    assert.ok(!told.stderr().includes(key));
  });

  it('asks the endpoint of its arguments, whatever the environment says, and one of the environment alone', async () => {
    await using server = await startMethodServer({ eth_chainId: '0x7a69', eth_blockNumber: '0x10' });
    for (const [args, CHAINSIDE_RPC_URL] of [
      [['--rpc', server.url], 'http://127.0.0.1:9'],
      [[`--rpc=${server.url}`], 'http://127.0.0.1:9'],
      [[], server.url],
    ] as const) {
      await using session = await openMcp(args, { CHAINSIDE_RPC_URL });
      const { answer } = await session.call('get_network');
      assert.deepEqual(answer.network, { chainId: 31337 });
    }
  });

  it('starts for a network whose name looks like an option', async () => {
    for (const args of [['--name=--x'], ['--name=--rpc'], ['--name', '--x', '--symbol', '-E']]) {
      await using session = await open('http://127.0.0.1:9', ['--chain-id', '1', ...args]);
      assert.equal((await session.client.listTools()).tools.length, 9);
    }
  });

  it('runs eight calls at once, and the others after them', async () => {
    const waiting = new Map<string, () => void>();
    await using server = await startRpcServer(({ id, method, params }, response) => {
      const respond = () => response.end(JSON.stringify({ jsonrpc: '2.0', id, result: '0x10' }));
      if (method !== 'eth_getBalance') return respond();
      waiting.set(String(params?.[0]), respond);
    });
    await using session = await open(server.url);
    await session.call('get_network');
    const calls = Array.from({ length: 12 }, (_, at) =>
      session.call('get_address', { address: `0x${at.toString(16).padStart(40, '0')}` }),
    );
    while (waiting.size < 8) await new Promise(setImmediate);
    // It is answered after all that was sent before it.
    await session.client.listTools();
    await session.client.ping();
    assert.equal(waiting.size, 8);
    const ended = Promise.all(calls);
    let isOver = false;
    void ended.finally(() => {
      isOver = true;
    });
    while (!isOver) {
      for (const respond of waiting.values()) respond();
      await new Promise(setImmediate);
    }
    assert.equal(waiting.size, 12);
    for (const { isError } of await ended) assert.ok(!isError);
  });

  it('refuses a line of more than 10 MiB by its ID, and lives on', async () => {
    const { exchange, close } = await openLines();
    try {
      const long = 'x'.repeat(6 * 1024 * 1024);
      const call = '"method":"tools/call","params":{"name":"decode_data","arguments":{"hex":"';
      for (const [start, end, id] of [
        [`{"jsonrpc":"2.0","id":2,${call}`, '","id":7}}}', 2],
        [`{"jsonrpc": "2.0", "id": "a-3", ${call}`, '"}}}', 'a-3'],
        [`{"jsonrpc":"2.0","method":"tools/call","id":"b-8","params":{"hex":"`, '"}}', 'b-8'],
        [`{${call}`, '"}},"jsonrpc":"2.0","id":4}', 4],
        [`{${call}`, '"}},"id":5,"jsonrpc":"2.0"}', 5],
        ['', '', null],
      ] as const) {
        const refused = await exchange(start, long, long, `${end}\n`);
        assert.equal(refused.id, id);
        assert.match(JSON.stringify(refused.error), /longer than 10 MiB/);
        const answered = await exchange('{"jsonrpc":"2.0","id":9,"me', 'thod":"ping"}\n');
        assert.deepEqual(answered, { jsonrpc: '2.0', id: 9, result: {} });
      }
      // Shorter by far, but long for a message: it is read.
      const read = await exchange('{"jsonrpc":"2.0","id":6,', call, long, '"}}}\n');
      assert.equal(read.id, 6);
      assert.match(JSON.stringify(read.result), /hex is invalid/);
    } finally {
      await close();
    }
  });

  it('reads arguments that a client writes as null or as text', async () => {
    const { exchange, close } = await openLines('--chain-id', '1');
    try {
      for (const [given, expected] of [
        [null, /hex is invalid: it is missing/],
        ['', /hex is invalid: it is missing/],
        ['null', /hex is invalid: it is missing/],
        ['{"hex":"0xa9059cbb"}', /transfer\(address,uint256\)/],
        [{ hex: '0xa9059cbb', address: '"arguments":' }, /No address is called/],
        ['{"hex"', /Invalid tools\/call request/],
        ['[]', /Invalid tools\/call request/],
      ] as const) {
        const params = { name: 'decode_data', arguments: given };
        const call = { jsonrpc: '2.0', id: 1, method: 'tools/call', params };
        const response = await exchange(`${JSON.stringify(call)}\n`);
        assert.match(JSON.stringify(response), expected, JSON.stringify(given));
      }
    } finally {
      await close();
    }
  });
});
