import assert from 'node:assert/strict';
import {
  createChainClient,
  type DeploymentBlock,
  type Hex,
  type LogFilter,
  tallyEvents,
} from '../../../../../src/core/index.ts';
import { createTestClock } from '../../../../support/clocks.ts';
import { readAll } from '../../../../support/logReading.ts';

const CONTRACT = `0x${'c0'.repeat(20)}` as const;
const TOPIC: Hex = `0x${'aa'.repeat(32)}`;
const CREATION: Hex = `0x${'cc'.repeat(32)}`;
const LOCAL = 'http://127.0.0.1:8545';
const REMOTE = 'https://rpc.example';

interface TestChain {
  readonly head: number;
  readonly logs: readonly number[];
  /** The first block with code, and the block after the last one of an earlier contract, if there was one. */
  readonly created?: number;
  readonly earlier?: readonly [from: number, to: number];
  /** What a receipt says of the creation. */
  readonly receipt?: object;
  readonly hasOldState?: boolean;
  readonly maxBlocks?: number;
}

interface Call {
  readonly id: number;
  readonly method: string;
  readonly params: readonly unknown[];
}

const quantity = (value: number) => `0x${value.toString(16)}`;

/** A node with the chain, and the calls that it got. */
function nodeOf({ head, logs, created = 0, earlier, receipt, hasOldState = true, maxBlocks }: TestChain) {
  const calls: string[] = [];

  function hasCode(block: number): boolean {
    return block >= created || (earlier !== undefined && block >= earlier[0] && block < earlier[1]);
  }

  function resultOf({ method, params }: Call): unknown {
    if (method === 'web3_clientVersion') return 'Geth/v1.14.0';
    if (method === 'eth_blockNumber') return quantity(head);
    if (method === 'eth_getTransactionReceipt') return receipt ?? null;
    if (method === 'eth_getCode') {
      const block = Number(params[1]);
      if (block > head) throw new Error('header not found');
      if (!hasOldState && block < head - 128) throw new Error('missing trie node 0xab (path )');
      return hasCode(block) ? '0x6001' : '0x';
    }
    if (method !== 'eth_getLogs') throw new Error('the method does not exist');
    const { fromBlock, toBlock } = params[0] as { readonly fromBlock: string; readonly toBlock: string };
    const [from, to] = [Number(fromBlock), toBlock === 'latest' ? head : Number(toBlock)];
    if (maxBlocks !== undefined && to - from >= maxBlocks) {
      throw new Error(`query exceeds max block range ${maxBlocks}`);
    }
    return logs
      .filter((block) => block >= from && block <= to)
      .map((block) => ({
        ...{ address: CONTRACT, topics: [TOPIC], data: '0x', logIndex: '0x0', transactionIndex: '0x0' },
        ...{ blockNumber: quantity(block), blockHash: `0x${block.toString(16).padStart(64, '0')}` },
        ...{ transactionHash: `0x${block.toString(16).padStart(64, '1')}`, removed: false },
      }));
  }

  function answer(call: Call): object {
    calls.push(call.method);
    try {
      return { jsonrpc: '2.0', id: call.id, result: resultOf(call) };
    } catch (error) {
      return { jsonrpc: '2.0', id: call.id, error: { code: -32000, message: (error as Error).message } };
    }
  }

  const clientAt = (url: string) =>
    createChainClient({
      clock: createTestClock(),
      url,
      async fetch(_target, { body }) {
        if (typeof body !== 'string') return new Response(null, { status: 404 });
        const calls: Call | readonly Call[] = JSON.parse(body);
        return Response.json('id' in calls ? answer(calls) : calls.map(answer));
      },
    });
  return { calls, clientAt };
}

function filterOf(deployment: Omit<DeploymentBlock, 'address'>): LogFilter {
  return {
    ...{ addresses: [CONTRACT], topics: [], fromBlock: deployment.block, toBlock: 'latest' },
    deployments: [{ address: CONTRACT, ...deployment }],
  };
}

async function read(client: ReturnType<ReturnType<typeof nodeOf>['clientAt']>, filter: LogFilter) {
  const { logs, verdict } = await readAll(client.openLogQuery(filter));
  return {
    rows: logs.length,
    state: verdict.state,
    from: Number(verdict.fromBlock),
    reasons: verdict.reasons,
  };
}

const complete = (from: number, rows: number) => ({ rows, state: 'complete', from, reasons: [] });

describe('the block of a deployment as the first one of a query', () => {
  it('is confirmed by the receipt that names the contract, also without old state', async () => {
    const receipt = { contractAddress: CONTRACT, to: null, blockNumber: quantity(5_000_000), status: '0x1' };
    const chain = { head: 6_000_000, logs: [5_000_000], created: 5_000_000, hasOldState: false, receipt };
    const { calls, clientAt } = nodeOf({ ...chain, maxBlocks: 1_000_000 });
    const filter = filterOf({ block: 5_000_000n, transaction: CREATION });
    assert.deepEqual(await read(clientAt(REMOTE), filter), complete(5_000_000, 1));
    assert.ok(!calls.includes('eth_getCode'));
  });

  it('is the one of the chain where the file names a later one', async () => {
    const receipt = { contractAddress: CONTRACT, to: null, blockNumber: quantity(2), status: '0x1' };
    const { clientAt } = nodeOf({ head: 9, logs: [2, 3, 4], created: 2, receipt });
    assert.deepEqual(
      await read(clientAt(LOCAL), filterOf({ block: 3n, transaction: CREATION })),
      complete(2, 3),
    );
  });

  it('is not believed where the receipt is of another contract, or of a factory', async () => {
    const receipts = [
      { contractAddress: `0x${'dd'.repeat(20)}`, to: null, blockNumber: quantity(3) },
      { contractAddress: CONTRACT, to: `0x${'dd'.repeat(20)}`, blockNumber: quantity(3) },
      { contractAddress: null, to: CONTRACT, blockNumber: quantity(3) },
      undefined,
    ];
    for (const receipt of receipts) {
      const { clientAt } = nodeOf({ head: 9, logs: [2, 3, 4], created: 2, ...(receipt && { receipt }) });
      const filter = filterOf({ block: 3n, transaction: CREATION });
      assert.deepEqual(await read(clientAt(LOCAL), filter), complete(0, 3));
    }
  });

  it('is left out where the whole chain costs no more, as an address may be used twice', async () => {
    const { clientAt } = nodeOf({ head: 900, logs: [100, 800], created: 700, earlier: [100, 200] });
    assert.deepEqual(await read(clientAt(LOCAL), filterOf({ block: 700n })), complete(0, 2));
    assert.deepEqual(await read(clientAt(REMOTE), filterOf({ block: 700n })), complete(0, 2));
  });

  it('is confirmed once by the code at two blocks', async () => {
    const { calls, clientAt } = nodeOf({ head: 6_000_000, logs: [5_500_000], created: 5_000_000 });
    const client = clientAt(REMOTE);
    for (let time = 0; time < 2; time++) {
      assert.deepEqual(await read(client, filterOf({ block: 5_000_000n })), complete(5_000_000, 1));
    }
    assert.equal(calls.filter((method) => method === 'eth_getCode').length, 2);
  });

  it('is the first of the chain where the contract is older, not there, or of another chain', async () => {
    const older = nodeOf({ head: 6_000_000, logs: [3_000_000, 5_500_000], created: 3_000_000 });
    assert.deepEqual(await read(older.clientAt(REMOTE), filterOf({ block: 5_000_000n })), complete(0, 2));
    const later = nodeOf({ head: 6_000_000, logs: [5_900_000], created: 5_800_000 });
    assert.deepEqual(await read(later.clientAt(REMOTE), filterOf({ block: 5_000_000n })), complete(0, 1));
    const shorter = nodeOf({ head: 50_000, logs: [7, 8], created: 7 });
    assert.deepEqual(await read(shorter.clientAt(REMOTE), filterOf({ block: 5_000_000n })), complete(0, 2));
  });

  it('is not certain where a node has neither old state nor the whole range', async () => {
    const chain = { head: 6_000_000, logs: [3_000_000, 5_500_000], created: 3_000_000, hasOldState: false };
    const limited = nodeOf({ ...chain, maxBlocks: 1_500_000 });
    assert.deepEqual(await read(limited.clientAt(REMOTE), filterOf({ block: 5_000_000n })), {
      ...{ rows: 1, state: 'uncertain', from: 5_000_000 },
      reasons: [{ code: 'firstBlockUnconfirmed', block: 5_000_000n }],
    });
    const unlimited = nodeOf(chain);
    assert.deepEqual(await read(unlimited.clientAt(REMOTE), filterOf({ block: 5_000_000n })), complete(0, 2));
  });

  it('is not certain by its code where files name other blocks, as a contract may be created again', async () => {
    const chain = {
      head: 6_000_000,
      logs: [100, 5_500_000],
      created: 5_000_000,
      earlier: [50, 200],
    } as const;
    const filter = filterOf({ block: 5_000_000n, isRepeated: true });
    const limited = nodeOf({ ...chain, maxBlocks: 1_000_000 });
    assert.deepEqual(await read(limited.clientAt(REMOTE), filter), {
      ...{ rows: 1, state: 'uncertain', from: 5_000_000 },
      reasons: [{ code: 'firstBlockUnconfirmed', block: 5_000_000n }],
    });
    assert.deepEqual(await read(nodeOf(chain).clientAt(REMOTE), filter), complete(0, 2));
    const receipt = { contractAddress: CONTRACT, to: null, blockNumber: quantity(5_000_000) };
    const byTransaction = nodeOf({ ...chain, receipt, maxBlocks: 1_000_000 });
    const known = filterOf({ block: 5_000_000n, isRepeated: true, transaction: CREATION });
    assert.deepEqual(await read(byTransaction.clientAt(REMOTE), known), complete(5_000_000, 1));
  });

  it('takes the code of each of several contracts', async () => {
    const other = `0x${'c1'.repeat(20)}` as const;
    const { calls, clientAt } = nodeOf({ head: 6_000_000, logs: [5_500_000], created: 5_000_000 });
    const { deployments = [], ...filter } = filterOf({ block: 5_000_000n });
    const both = [...deployments, { address: other, block: 5_200_000n }];
    const asked = { ...filter, addresses: [CONTRACT, other], deployments: both };
    // There is code at the other one before its block.
    assert.equal((await read(clientAt(REMOTE), asked)).from, 0);
    assert.ok(calls.includes('eth_getCode'));
  });

  it('is not asked about where another first block is typed', async () => {
    const { calls, clientAt } = nodeOf({ head: 9, logs: [2, 3], created: 2 });
    const filter = { ...filterOf({ block: 3n, transaction: CREATION }), fromBlock: 4n };
    assert.deepEqual(await read(clientAt(LOCAL), filter), complete(4, 0));
    assert.ok(!calls.includes('eth_getTransactionReceipt'));
  });

  it('is confirmed before events are counted', async () => {
    const { clientAt } = nodeOf({ head: 9, logs: [2, 3, 4], created: 2 });
    const { addresses, deployments } = filterOf({ block: 3n, transaction: CREATION });
    const query = { addresses, topics0: [TOPIC], fromBlock: 3n, deployments, most: 100 };
    const { events, fromBlock } = await tallyEvents(clientAt(LOCAL), query);
    assert.deepEqual([events[0]?.count, events[0]?.isWhole, fromBlock], [3, true, 0n]);
  });
});
