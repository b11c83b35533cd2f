import assert from 'node:assert/strict';
import { AppError, createChainClient, isAppError, systemClock } from '../../../../src/core/index.ts';
import { callAtBlock, getCode } from '../../../../src/core/rpc/callAtBlock.ts';
import type { RpcClient } from '../../../../src/core/rpc/rpcClient.ts';

const to = `0x${'11'.repeat(20)}` as const;

/** Calls a server that gives these results by method; an object is its error. */
async function call(results: Readonly<Record<string, unknown>>) {
  const asked: unknown[] = [];
  const send: RpcClient['call'] = async (method, params) => {
    asked.push([method, ...params]);
    const result = results[method];
    if (typeof result !== 'object' || result === null) return result;
    const { message, ...details } = result as { message: string };
    throw new AppError('rpc', `The server refused the call: ${message}`, {
      serverMessage: message,
      ...details,
    });
  };
  try {
    return { asked, result: await callAtBlock(send, { to, data: '0x06661abd', block: 16n }) };
  } catch (error) {
    assert.ok(isAppError(error));
    return { asked, kind: error.kind, details: error.details, message: error.message };
  }
}

describe('a call at a block', () => {
  it('reads at most 512 KiB of code', async () => {
    const limits: unknown[] = [];
    const call: RpcClient['call'] = async (_, __, options) => {
      limits.push(options?.maxBytes);
      return '0x';
    };
    await getCode(call, { to: `0x${'22'.repeat(20)}`, block: 16n });
    assert.deepEqual(limits, [2 * 512 * 1024 + 64 * 1024]);
  });

  it('returns data, and nothing only where there is code', async () => {
    const { result, asked } = await call({ eth_call: '0xAB' });
    assert.deepEqual([result, asked], ['0xab', [['eth_call', { to, data: '0x06661abd' }, '0x10']]]);
    const empty = await call({ eth_call: '0x', eth_getCode: '0x60' });
    assert.deepEqual([empty.result, empty.asked[1]], ['0x', ['eth_getCode', to, '0x10']]);
    assert.equal((await call({ eth_call: '0x', eth_getCode: '0x' })).kind, 'notAContract');
    assert.equal((await call({ eth_call: '0x1' })).kind, 'badResponse');
    assert.equal((await call({ eth_call: null })).kind, 'badResponse');
  });

  it('has the revert data, wherever the node puts it', async () => {
    for (const error of [
      { code: 3, message: 'execution reverted: no', data: '0x4e487b71' },
      { code: -32015, message: 'VM execution error.', data: 'Reverted 0x4e487b71' },
      {
        code: -32603,
        message: 'reverted with custom error',
        data: { message: 'x', txHash: '0x12', data: '0x4e487b71' },
      },
      { code: 3, message: 'missing trie node', data: '0x4e487b71' },
    ]) {
      const { kind, details } = await call({ eth_call: error });
      assert.deepEqual([kind, details?.data], ['reverted', '0x4e487b71'], error.message);
    }
    const halted = await call({ eth_call: { code: -32000, message: 'out of gas' } });
    assert.deepEqual([halted.kind, halted.details?.data], ['reverted', undefined]);
  });

  it('is a revert also under an HTTP status of a failure', async () => {
    const error = { code: -32000, message: 'execution reverted', data: '0x4e487b71' };
    for (const status of [200, 400, 403, 500]) {
      const fetch = async () => Response.json({ jsonrpc: '2.0', id: 1, error }, { status });
      const client = createChainClient({ url: 'http://127.0.0.1:1', fetch, clock: systemClock });
      await assert.rejects(
        client.callAtBlock({ to, data: '0x06661abd', block: 16n }),
        (thrown) => isAppError(thrown, 'reverted') && thrown.details.data === '0x4e487b71',
        String(status),
      );
    }
  });

  it('says that the state is gone, in the words of any node', async () => {
    for (const message of [
      'missing trie node 5fcd (path ) state 0x5fcd is not available, not found',
      'required historical state unavailable (reexec=128)',
      'historical state 0xab is not available',
      'header not found',
      'historical state not available in path scheme yet',
      'old data not available due to pruning. available: 100, requested 5',
      'state at block #1234 is pruned',
      'No state available for block 0x4d2',
      'World state unavailable',
      'Pruned history unavailable',
      'BlockOutOfRangeError: block height is 5 but requested was 4',
      'state histories haven\u2019t been fully indexed yet',
      'Node state is pruned',
      'height 5 is not available, lowest height is 900',
      'no historical RPC is available for this historical (pre-bedrock) execution request',
      'State already discarded for block 5',
      'no state found for block number 5',
      'block #5 not found',
      'could not find block: 5',
      'the requested block is too old',
      'required history is not available on this node',
      'distance to target block exceeds maximum proof window',
      'version mismatch on immutable IAVL tree; version does not exist',
      'evm module does not exist on height 5',
      'state transitaion failed: seek with txNum=1962853355 but data before txNum=2662500000 is not available: blockNum=16999999',
      'project ID does not have access to archive state',
      'Access to archival, debug, or trace data is not included in your current plan',
    ]) {
      const { kind, message: said } = await call({ eth_call: { code: -32000, message } });
      assert.equal(kind, 'historyUnavailable', message);
      assert.match(String(said), /128 blocks.*archive node/);
    }
  });

  it('leaves other refusals as they are, and says where calls are not offered', async () => {
    assert.equal((await call({ eth_call: { code: -32000, message: 'over capacity' } })).kind, 'rpc');
    const missing = { code: -32601, message: 'the method eth_call does not exist/is not available' };
    assert.equal((await call({ eth_call: missing })).kind, 'notServed');
  });
});
