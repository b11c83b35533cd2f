import assert from 'node:assert/strict';
import { AppError } from '../../../../src/core/base/errors.ts';
import {
  createHeadReader,
  createLatestBlockReader,
  createReportedHeads,
} from '../../../../src/core/rpc/latestBlock.ts';
import type { RpcClient } from '../../../../src/core/rpc/rpcClient.ts';

const LOCAL = 'http://127.0.0.1:8545';
const hashOf = (chain: number, block: number) => `0x${`${chain}${block}`.padStart(64, '0')}`;

/** A node whose blocks are those of `chain`. With `instance`, it offers `hardhat_metadata`. */
function createNode({ url = LOCAL, instance }: { readonly url?: string; readonly instance?: number }) {
  const node = { chain: 1, instance, head: 5, methods: [] as string[], isDown: false };
  const call: RpcClient['call'] = async (method, [block]) => {
    node.methods.push(method);
    if (node.isDown) throw new AppError('network', 'Nothing listens.');
    const latestBlockHash = hashOf(node.chain, node.head);
    switch (method) {
      case 'eth_blockNumber':
        return `0x${node.head.toString(16)}`;
      case 'eth_getBlockByNumber':
        return Number(block) > node.head ? null : { number: block, hash: hashOf(node.chain, Number(block)) };
      default:
        if (node.instance === undefined) throw new AppError('rpc', 'Refused.', { code: -32601 });
        return { instanceId: hashOf(9, node.instance), latestBlockNumber: node.head, latestBlockHash };
    }
  };
  const callBatch = () => assert.fail('Nothing is sent in batches.');
  const read = createLatestBlockReader({ url, call, callBatch });
  return { node, isOnNewChain: async () => (await read()).isOnNewChain, read };
}

describe('the latest block', () => {
  for (const [kind, instance] of [
    ['anvil', 1],
    ['a node without hardhat_metadata', undefined],
  ] as const) {
    it(`is on a new chain after a restart of ${kind}, and is not after blocks, once`, async () => {
      const { node, isOnNewChain } = createNode({ ...(instance && { instance }) });
      const seen: boolean[] = [await isOnNewChain()];
      node.head = 9;
      seen.push(await isOnNewChain());
      // A restarted script makes as many blocks.
      node.chain = 2;
      if (instance) node.instance = 2;
      seen.push(await isOnNewChain(), await isOnNewChain());
      assert.deepEqual(seen, [false, false, true, false]);
    });
  }

  it('is on a new chain after a start with the same block 0, as of a fork or with a fixed time', async () => {
    const { node, isOnNewChain } = createNode({ instance: 1 });
    await isOnNewChain();
    Object.assign(node, { chain: 2, instance: 2, head: 0 });
    assert.equal(await isOnNewChain(), true);
  });

  it('is on the same chain where the node loads a saved state, or goes back to a snapshot', async () => {
    const { node, isOnNewChain } = createNode({ instance: 1 });
    await isOnNewChain();
    Object.assign(node, { instance: 2, head: 7 });
    assert.equal(await isOnNewChain(), false);
    Object.assign(node, { chain: 3, head: 4 });
    assert.equal(await isOnNewChain(), false);
  });

  it('is on a new chain where the node was down meanwhile', async () => {
    const { node, isOnNewChain } = createNode({ instance: 1 });
    await isOnNewChain();
    node.isDown = true;
    await assert.rejects(isOnNewChain(), { kind: 'network' });
    Object.assign(node, { chain: 2, instance: 2, isDown: false });
    assert.equal(await isOnNewChain(), true);
  });

  it('costs a node of another machine one request', async () => {
    const { node, read } = createNode({ url: 'https://node.example' });
    assert.deepEqual(await read(), { block: 5n, isOnNewChain: false });
    Object.assign(node, { chain: 2 });
    assert.deepEqual(await read(), { block: 5n, isOnNewChain: false });
    assert.deepEqual(node.methods, ['eth_blockNumber', 'eth_blockNumber']);
  });
});

describe('the head of an endpoint', () => {
  /** Reads heads that the endpoint reports one after the other; the last one again and again. */
  function openHeads(url: string, reported: readonly number[], syncing: unknown = false) {
    let at = 0;
    const clock = { ms: 0, elapsed: () => clock.ms };
    const call: RpcClient['call'] = async (method) =>
      method === 'eth_syncing' ? syncing : reported[Math.min(at++, reported.length - 1)];
    const callBatch = () => assert.fail('Nothing is sent in batches.');
    return {
      clock,
      requests: () => at,
      read: createHeadReader({ url, call, callBatch }, createReportedHeads(clock)),
    };
  }

  for (const url of [LOCAL, 'https://node.example']) {
    it(`is the newest that ${url} has reported, where one replica lags`, async () => {
      const { read } = openHeads(url, [1000, 1000, 700, 1000]);
      assert.deepEqual([await read(), await read(), await read()], [1000n, 1000n, 1000n]);
    });
  }

  it('is the higher one of two where a lagging replica answers the first request', async () => {
    const { read } = openHeads('https://node.example', [800, 1000]);
    assert.equal(await read(), 1000n);
  });

  it('is asked for twice only before the endpoint has reported any, and once of this machine', async () => {
    const away = openHeads('https://node.example', [1000]);
    await away.read();
    await away.read();
    const here = openHeads(LOCAL, [1000]);
    await here.read();
    assert.deepEqual([away.requests(), here.requests()], [3, 1]);
  });

  it('is far ahead of an older one only if the chain has not made as many blocks meanwhile', () => {
    const clock = { ms: 0, elapsed: () => clock.ms };
    const heads = createReportedHeads(clock);
    heads.note(1000n);
    clock.ms = 1000;
    heads.note(1006n);
    assert.equal(heads.getAhead(1000n), undefined);
    heads.note(1007n);
    assert.equal(heads.getAhead(1000n), 1007n);
  });

  it('is older than before once a node of this machine has lost blocks', async () => {
    const { read } = openHeads(LOCAL, [1000, 7]);
    assert.deepEqual([await read(), await read(), await read()], [1000n, 7n, 7n]);
  });

  it('is older than before once another endpoint has reported nothing newer for a minute', async () => {
    const { clock, read } = openHeads('https://node.example', [1000, 7]);
    assert.deepEqual([await read(), await read()], [1000n, 1000n]);
    clock.ms = 61_000;
    assert.equal(await read(), 7n);
  });

  it('is not block 0 of a node that is still fetching the chain', async () => {
    await assert.rejects(openHeads(LOCAL, [0], { currentBlock: '0x0' }).read(), {
      kind: 'blockNotSeen',
      message: /still fetching the chain/,
    });
    assert.equal(await openHeads(LOCAL, [0]).read(), 0n);
  });
});
