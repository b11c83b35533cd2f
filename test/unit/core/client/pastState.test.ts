import assert from 'node:assert/strict';
import { asAppError, createChainClient } from '../../../../src/core/index.ts';
import { createTestClock } from '../../../support/clocks.ts';
import {
  CONTRACT,
  createStateNode,
  IMPLEMENTATION,
  type StateNodeTraits,
  TOTAL_SUPPLY,
} from '../../../support/stateNode.ts';

/** Reads at one node; a value, or the kind of the error. */
function open(traits: StateNodeTraits) {
  const node = createStateNode(traits);
  const clock = createTestClock();
  const client = createChainClient({ url: 'http://node.test/', fetch: node.fetch, clock });
  const attempt = async <T>(read: Promise<T>) => {
    try {
      return await read;
    } catch (cause) {
      return asAppError(cause).kind;
    }
  };
  return {
    ...node,
    clock,
    client,
    supply: async (block: bigint) => {
      const result = await attempt(client.callAtBlock({ to: CONTRACT, data: TOTAL_SUPPLY, block }));
      return result.startsWith('0x') ? Number(result) : result;
    },
    code: (block: bigint) => attempt(client.getCode({ to: CONTRACT, block })),
    implementations: (block: bigint) => attempt(client.fetchImplementations(CONTRACT, block)),
  };
}

const all = ['eth_call', 'eth_getCode', 'eth_getStorageAt', 'eth_getBalance'];

describe('the state of a past block', () => {
  it('is that of an endpoint which refuses blocks above its head; it is asked once for each method', async () => {
    for (const unseen of [
      { code: -32000, message: 'header not found' },
      { code: -32001, message: 'requested block 0x3b9acde8 could not be found' },
      { code: -32602, message: 'BlockOutOfRangeError: block height is 1000 but requested was 1000001000' },
      { code: -32602, message: 'Received invalid block tag 1000001000. Latest block number is 1000' },
      { code: -32603, message: 'Internal error' },
      null,
    ]) {
      const { client, supply, code, asked } = open({ unseen });
      await client.getBlockNumber();
      assert.deepEqual(
        [await supply(100n), await supply(101n), await code(100n)],
        [100, 101, '0x6001600055'],
      );
      const isAbove = (call: string) => Number(call.split(' ')[1]) > 1000;
      const above = new Set(asked.filter(isAbove).map((call) => call.split(' ')[0]));
      assert.deepEqual([...above].sort(), ['eth_call', 'eth_getCode'], unseen?.message);
      const before = asked.length;
      await supply(102n);
      assert.equal(asked.length, before + 1, 'nothing is asked again');
    }
  });

  it('is that of a node which returns null above its head, also where it is zero', async () => {
    const { client, code } = open({ unseen: null, createdAt: 2000 });
    await client.getBlockNumber();
    assert.equal(await code(100n), '0x');
  });

  it('is not asked about for the latest block', async () => {
    const { client, supply, asked } = open({});
    await client.getBlockNumber();
    assert.equal(await supply(1000n), 1000);
    assert.deepEqual(asked, ['eth_call 0x3e8']);
  });

  it('is never the state of now of an endpoint that ignores blocks, which still reads the latest', async () => {
    for (const batches of [true, false]) {
      const { client, supply, code, implementations } = open({ ignores: all, batches, isProxy: true });
      await client.getBlockNumber();
      assert.equal(await supply(1000n), 1000);
      assert.deepEqual(await implementations(1000n), [IMPLEMENTATION]);
      assert.equal(await supply(100n), 'historyUnavailable');
      assert.equal(await supply(999n), 'historyUnavailable');
      assert.equal(await code(100n), 'historyUnavailable');
      assert.deepEqual(await implementations(100n), []);
      assert.equal(await supply(1000n), 1000);
    }
  });

  it('is never the state of now of an endpoint that ignores old blocks, and refuses those above its head', async () => {
    const { client, supply, code } = open({ ignores: all, refusesUnseen: true, createdAt: 0 });
    await client.getBlockNumber();
    assert.deepEqual([await supply(999n), await supply(100n)], ['historyUnavailable', 'historyUnavailable']);
    assert.equal(await code(100n), 'historyUnavailable');
    assert.equal(await supply(1000n), 1000);
  });

  it('is never that of the oldest block which an endpoint has', async () => {
    const { client, supply } = open({
      ignores: all,
      refusesUnseen: true,
      numberIn: (head, at) => (at < 873 ? 873 : head),
    });
    await client.getBlockNumber();
    assert.equal(await supply(100n), 'historyUnavailable');
  });

  it('is not vouched for by another method, nor by the number that code sees', async () => {
    for (const traits of [
      { ignores: ['eth_call'], clamps: true, numberIn: () => undefined },
      { ignores: ['eth_call'], clamps: true, numberIn: (_: number, requested: number) => requested },
      { ignores: all, failsAbove: true },
      { ignores: all, failsAbove: true, numberIn: () => undefined },
    ]) {
      const { client, supply } = open({ ...traits, createdAt: 0 });
      await client.getBlockNumber();
      assert.equal(await supply(100n), 'historyUnavailable', JSON.stringify(traits));
    }
    const storage = open({ ignores: ['eth_getStorageAt'], clamps: true, isProxy: true });
    await storage.client.getBlockNumber();
    assert.equal(await storage.implementations(100n), 'historyUnavailable');
  });

  it('is that of a node which fails above its head', async () => {
    const { client, supply, code } = open({ failsAbove: true });
    await client.getBlockNumber();
    assert.deepEqual([await supply(100n), await supply(101n), await code(5n)], [100, 101, '0x']);
  });

  it('is that of an endpoint whose code sees blocks of another chain, or that calls no code without an address', async () => {
    // Arbitrum: blocks of Ethereum. Hardhat once: the block after.
    for (const numberIn of [
      (block: number) => 20_000_000 + Math.floor(block / 48),
      (block: number) => block + 1,
      () => undefined,
    ]) {
      const { client, supply, code } = open({ numberIn });
      await client.getBlockNumber();
      assert.deepEqual([await supply(999n), await supply(100n), await code(5n)], [999, 100, '0x']);
    }
  });

  it('is told apart for each method', async () => {
    const storage = open({ ignores: ['eth_getStorageAt'], isProxy: true });
    await storage.client.getBlockNumber();
    assert.deepEqual([await storage.supply(100n), await storage.code(5n)], [100, '0x']);
    assert.equal(await storage.implementations(100n), 'historyUnavailable');
    const call = open({ ignores: ['eth_call'] });
    await call.client.getBlockNumber();
    assert.equal(await call.supply(100n), 'historyUnavailable');
    assert.equal(await call.code(5n), '0x');
    const code = open({ ignores: ['eth_getCode'] });
    await code.client.getBlockNumber();
    assert.equal(await code.code(100n), 'historyUnavailable');
    assert.equal(await code.supply(100n), 100);
  });

  it('is not lost of a node that takes a block above its head for the latest, and has states', async () => {
    for (const isProxy of [false, true]) {
      const { client, supply, code, implementations } = open({ clamps: true, isProxy });
      await client.getBlockNumber();
      assert.deepEqual([await supply(100n), await code(5n)], [100, '0x']);
      assert.deepEqual(await implementations(100n), isProxy ? [IMPLEMENTATION] : []);
    }
  });

  it('is not confirmed by a contract of the first block, and by another one it is', async () => {
    const { client, supply } = open({ clamps: true, createdAt: 0 });
    await client.getBlockNumber();
    // The supply of block 0 is 0.
    assert.equal(await supply(100n), 100);
    const constant = open({ clamps: true, createdAt: 0 });
    await constant.client.getBlockNumber();
    assert.equal(await constant.code(100n), 'historyUnavailable');
  });

  it('is read by the tag of an endpoint that takes the latest only', async () => {
    for (const latestOnly of [
      { code: -32602, message: 'QUANTITY not supported, just support TAG as latest' },
      { code: -32602, message: 'invalid argument 1' },
      { code: -32000, message: 'only the latest block is supported' },
      { code: -32000, message: 'block parameter must be "latest"' },
      { code: -32000, message: 'eth_call at non-latest blocks: block number is not supported' },
    ]) {
      const { client, supply, code, asked } = open({ latestOnly });
      await client.getBlockNumber();
      assert.equal(await supply(1000n), 1000, latestOnly.message);
      assert.equal(await code(1000n), '0x6001600055');
      assert.equal(asked.at(-1), 'eth_getCode latest');
      const before = asked.length;
      assert.equal(await supply(100n), 'historyUnavailable', latestOnly.message);
      assert.equal(asked.length, before);
      const past = open({ latestOnly });
      await past.client.getBlockNumber();
      assert.equal(await past.supply(100n), 'historyUnavailable', latestOnly.message);
    }
  });

  it('is gone of a node that keeps 128 states, wherever it puts the reason', async () => {
    for (const error of [
      { code: -32000, message: 'missing trie node 5fcd (path ) state 0x5fcd is not available, not found' },
      { code: -32603, message: 'Internal error', data: 'MissingTrieNode' },
      { code: -32603, message: 'error', data: { reason: 'MissingTrieNode(0x5fcd)' } },
      { code: -32000, message: 'header not found' },
      { code: -32015, message: 'VM execution error.', data: 'Missing trie node' },
    ]) {
      const { client, supply, code, clock } = open({ keeps: { states: 128, error } });
      await client.getBlockNumber();
      assert.equal(await supply(1000n), 1000);
      assert.equal(await supply(950n), 950);
      assert.equal(await supply(100n), 'historyUnavailable', JSON.stringify(error));
      assert.equal(await code(100n), 'historyUnavailable', JSON.stringify(error));
      assert.ok(
        clock.waits.every((ms) => ms < 1000),
        'an old block is not waited for',
      );
    }
  });
});

describe('a block that a lagging replica has not seen', () => {
  it('is requested again, until a replica has it', async () => {
    for (const batches of [true, false]) {
      for (const unseen of [
        { code: -32000, message: 'header not found' },
        { code: -32000, message: 'unknown block' },
        { code: -32000, message: 'block 0x3e8 not found' },
        { code: -32000, message: 'could not find block: 1000' },
        null,
      ]) {
        // Every third request reaches a replica that is behind.
        const headAt = (request: number) => (request % 3 === 2 ? 990 : 1000);
        const { client, supply, code, implementations } = open({ unseen, headAt, batches });
        assert.equal(await client.getBlockNumber(), 1000n);
        assert.equal(await supply(1000n), 1000, unseen?.message);
        assert.equal(await code(1000n), '0x6001600055');
        assert.deepEqual(await implementations(1000n), []);
      }
    }
  });

  it('is requested at once from some replicas, and the head only of old blocks', async () => {
    const { client, supply, clock, asked } = open({
      headAt: (request) => (request > 2 && request < 6 ? 990 : 1000),
      batches: false,
    });
    await client.getBlockNumber();
    assert.equal(await supply(1000n), 1000);
    assert.deepEqual([clock.waits.filter((ms) => ms > 0), asked.length], [[], 4]);
  });

  it('is not said to be gone, and the error says which it is', async () => {
    const { client, supply, clock } = open({ headAt: (request) => (request === 1 ? 1000 : 990) });
    await client.getBlockNumber();
    assert.equal(await supply(1000n), 'blockNotSeen');
    assert.ok(clock.waits.length > 4);
    await assert.rejects(
      client.getCode({ to: CONTRACT, block: 1000n }),
      /1000 yet, as some of its replicas lag/,
    );
  });

  it('may be thousands of blocks above it', async () => {
    const { client, supply } = open({ head: 5000, headAt: (request) => (request === 1 ? 5000 : 3000) });
    await client.getBlockNumber();
    assert.equal(await supply(4500n), 'blockNotSeen');
    assert.equal(await supply(2500n), 2500);
  });

  it('has a hash at the replicas that have it', async () => {
    // Of one replica in a row, and of many.
    for (const last of [2, 8]) {
      const { client } = open({ headAt: (request) => (request >= 2 && request <= last ? 990 : 1000) });
      await client.getBlockNumber();
      assert.match((await client.getBlockHash(1000n)) ?? '', /^0x/);
      assert.equal(await client.getBlockHash(1001n), undefined);
    }
  });
});
