import assert from 'node:assert/strict';
import { json } from 'node:stream/consumers';
import { logToJson } from '../../../src/core/index.ts';
import type { Log } from '../../../src/core/logs/log.ts';
import { type LoopbackServer, type RpcRequest, startLoopbackServer } from '../../support/loopbackServer.ts';
import { createRecordedCall, type RecordedChain, recordChain } from '../../support/proofChain.ts';
import { runCli } from '../../support/runCli.ts';

interface WireReceipt {
  readonly logs: readonly { readonly blockNumber: string; readonly logIndex: string }[];
}

describe('logs --prove on the command line', () => {
  let chain: RecordedChain;
  let server: LoopbackServer;
  /** What the server tells of the logs. */
  let tell: (logs: readonly Log[]) => readonly Log[];
  let missing: readonly string[];
  let cutReceipts: (receipts: readonly WireReceipt[]) => readonly object[];
  /** The latest block, by how often it was requested before. */
  let headAt: (nth: number) => bigint;
  let headRequests = 0;
  before(async () => {
    chain = await recordChain('shanghai');
    server = await startLoopbackServer(async (incoming, response) => {
      const body = (await json(incoming)) as RpcRequest | readonly RpcRequest[];
      const responses = await Promise.all([body].flat().map(respond));
      response.setHeader('content-type', 'application/json');
      response.end(JSON.stringify(Array.isArray(body) ? responses : responses[0]));
    });
  });
  beforeEach(() => {
    tell = (logs) => logs;
    missing = [];
    cutReceipts = (receipts) => receipts;
    headAt = () => chain.last;
    headRequests = 0;
  });
  after(() => server.close());

  async function respond({ id, method, params }: RpcRequest) {
    try {
      return { jsonrpc: '2.0', id, result: await call(method, params) };
    } catch (error) {
      return { jsonrpc: '2.0', id, error: { code: -32601, message: (error as Error).message } };
    }
  }

  async function call(method: string, params: readonly unknown[]): Promise<unknown> {
    if (method === 'eth_blockNumber') return `0x${headAt(headRequests++).toString(16)}`;
    if (method === 'web3_clientVersion') return 'Geth/v1.16.0';
    if (method !== 'eth_getLogs') {
      const result = await createRecordedCall(chain.blocks, missing)(method, params);
      return method === 'eth_getBlockReceipts' ? cutReceipts(result as readonly WireReceipt[]) : result;
    }
    const { fromBlock, toBlock } = params[0] as { fromBlock: string; toBlock: string };
    const last = toBlock === 'latest' ? chain.last : BigInt(toBlock);
    const inRange = ({ blockNumber }: Log) => blockNumber >= BigInt(fromBlock) && blockNumber <= last;
    return tell(chain.logs.filter(inRange)).map(logToJson);
  }

  async function run(...args: readonly string[]) {
    const { code, stdout, stderr } = await runCli(['logs', '--rpc', server.url, ...args]);
    const lines = stdout.trim().split('\n');
    return { code, stderr, rows: lines.length - 1, last: JSON.parse(lines.at(-1) ?? '') };
  }

  it('prints the proof beside a verdict that stays complete', async () => {
    const { code, rows, last, stderr } = await run('--prove');
    const { verdict } = last;
    assert.equal(code, 0);
    assert.deepEqual([verdict.state, verdict.rows, rows], ['complete', rows, rows]);
    const { requests, ...proof } = verdict.proof;
    assert.deepEqual(proof, {
      ...{ level: 'proven', trustedHash: chain.blocks[Number(chain.last)]?.header.hash },
      ...{ trustedBy: 'endpoint', blocks: Number(chain.last) + 1, receipts: 6, reasons: [] },
    });
    assert.ok(requests < 8, `${requests} requests`);
    assert.match(stderr, /^proof: Proven if 0x\w{64} is the hash of the last block/m);
    const later = await run(
      '--prove',
      '--to',
      '4',
      '--trust-hash',
      String(proof.trustedHash),
      '--newest-first',
    );
    assert.deepEqual(
      [later.last.verdict.proof.level, later.last.verdict.proof.trustedBy],
      ['proven', 'user'],
    );
    assert.match(later.stderr, /which you trust/);
  });

  it('fails if the hashes contradict what the server returned', async () => {
    tell = (logs) => logs.filter(({ blockNumber, logIndex }) => blockNumber !== 4n || logIndex !== 1);
    const { code, last, stderr } = await run('--prove', '--group-by', 'block');
    assert.equal(code, 1);
    assert.deepEqual([last.verdict.state, last.verdict.proof.level], ['uncertain', 'contradicted']);
    assert.match(last.verdict.reasons.join(), /^The receipts of block 4 have other logs than the result/);
    assert.match(
      last.verdict.proof.reasons.join(),
      /^Block 4 has \d+ matching logs\. The result has \d+ of it/,
    );
    assert.match(stderr, /^proof: The block hashes contradict the result\./m);
  });

  it('proves nothing of a result that lacks blocks of its range', async () => {
    headAt = (nth) => (nth === 0 ? chain.last : chain.last - 3n);
    tell = (logs) => logs.filter(({ blockNumber }) => blockNumber <= chain.last - 3n);
    const { state, proof } = (await run('--prove', '--all')).last.verdict;
    const reason = 'The result does not have all blocks of its range.';
    assert.deepEqual([state, proof.level, proof.reasons], ['uncertain', 'impossible', [reason]]);
  });

  it('says what is missing, and succeeds', async () => {
    missing = ['eth_getBlockReceipts', 'eth_getTransactionReceipt'];
    const { code, last } = await run('--prove');
    assert.deepEqual([code, last.verdict.state, last.verdict.proof.level], [0, 'complete', 'impossible']);
    assert.match(last.verdict.proof.reasons.join(), /returns no receipts of block/);
    const required = await run('--prove=required');
    assert.deepEqual([required.code, required.last.verdict.proof.level], [1, 'impossible']);
  });

  it('fails if logs were cut from the logs and the receipts of one block', async () => {
    const isCut = (block: unknown, index: unknown) => BigInt(String(block)) === 4n && Number(index) === 1;
    tell = (logs) => logs.filter(({ blockNumber, logIndex }) => !isCut(blockNumber, logIndex));
    cutReceipts = (receipts) =>
      receipts.map((receipt) => ({
        ...receipt,
        logs: receipt.logs.filter(({ blockNumber, logIndex }) => !isCut(blockNumber, logIndex)),
      }));
    for (const option of ['--prove', '--prove=required']) {
      const { code, last, stderr } = await run(option);
      assert.deepEqual(
        [code, last.verdict.state, last.verdict.proof.level],
        [1, 'uncertain', 'contradicted'],
      );
      assert.match(
        last.verdict.reasons.join(),
        /^The endpoint returned data for block 4 that do not match its hashes/,
      );
      assert.match(last.verdict.proof.reasons.join(), /receipts of block 4 do not have the root/);
      assert.match(stderr, /^proof: The block hashes contradict what the endpoint returned/m);
    }
  });

  it('refuses options that do not fit', async () => {
    for (const [args, field] of [
      [['--trust-hash', `0x${'1'.repeat(64)}`], 'trust-hash'],
      [['--prove', '--trust-hash', '0x12'], 'trust-hash'],
      [['--prove', '--pages', '1'], 'pages'],
      [['--prove', '--trust-hash', String(chain.blocks[2]?.header.hash)], 'trust-hash'],
    ] as const) {
      const { code, last } = await run(...args);
      assert.deepEqual([code, last.error.field], [2, field]);
    }
  });
});
