import assert from 'node:assert/strict';
import { cp, mkdir, mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Anvil, startAnvil } from '../../../localnet/chain/anvil.ts';
import { createNodeRpc } from '../../../localnet/chain/nodeRpc.ts';
import { sendTransactionKinds, type TransactionKinds } from '../../../localnet/chain/transactionKinds.ts';
import { fromRoot } from '../../../scripts/support/paths.ts';
import { removeFolder } from '../../../scripts/support/script.ts';
import type { FetchLike } from '../../../src/core/index.ts';
import { answerEach, createRpcFetch, type RpcRequest } from '../../support/loopbackServer.ts';
import { parseLines, runCli } from '../../support/runCli.ts';

describe('headless transaction --failed', () => {
  let anvil: Anvil;
  let kinds: TransactionKinds;
  let folder: string;

  before(async () => {
    anvil = await startAnvil({ port: 0, genesisTime: 1_700_000_000 });
    const node = createNodeRpc(anvil.url);
    kinds = await sendTransactionKinds(node);
    await node.call('anvil_mine', ['0x5', '0x0']);
    folder = await mkdtemp(join(tmpdir(), 'chainside-failed-'));
    await mkdir(join(folder, 'src'));
    await writeFile(join(folder, 'foundry.toml'), '[profile.default]\n');
    await cp(fromRoot('localnet', 'contracts', 'Failures.sol'), join(folder, 'src', 'Failures.sol'));
  });
  after(async () => {
    await anvil.stop();
    await removeFolder(folder);
  });

  async function run(args: readonly string[], fetch?: FetchLike) {
    const all = ['transaction', '--failed', '--rpc', anvil.url, ...args];
    const { code, stdout, stderr } = await runCli(all, fetch ? { fetch } : {});
    const lines = parseLines(stdout);
    return { code, stderr, stdout, rows: lines.slice(0, -1), last: lines.at(-1) };
  }

  const failed = () =>
    [kinds.customError, kinds.requireText, kinds.panic, kinds.outOfGas, kinds.emptyRevert] as const;

  it('prints those of a range as they are printed one by one', async () => {
    const { code, rows, last, stderr } = await run(['--from', '0', '--dir', folder]);
    const input = `# of this week\n\n${failed().join(' # a note\n// another\n')}`;
    const single = await runCli(['transaction', '-', '--rpc', anvil.url, '--dir', folder], { input });
    assert.deepEqual([code, rows], [0, parseLines(single.stdout)]);
    assert.deepEqual(rows[0].failure.candidates, [{ file: 'src/Failures.sol', line: 13 }]);
    const range = { fromBlock: '0', toBlock: '7', head: '7', readThrough: '7' };
    assert.deepEqual(last, { verdict: { state: 'complete', reasons: [], ...range, rows: 5 } });
    assert.equal(stderr, '5 failed transactions, blocks 0 to 7, head 7: complete\n');
  });

  it('prints the same where the endpoint takes no batches and has no receipts of blocks', async () => {
    const methods: unknown[] = [];
    const direct: FetchLike = async (url, init) => {
      const body = JSON.parse(String(init.body));
      const error = { code: -32601, message: 'the method does not exist' };
      if (Array.isArray(body)) return Response.json({ id: null, error }, { status: 400 });
      methods.push(body.method);
      if (body.method === 'eth_getBlockReceipts')
        return Response.json({ jsonrpc: '2.0', id: body.id, error });
      return fetch(url, init as RequestInit);
    };
    const { code, stdout } = await run(['--from', '0', '--dir', folder], direct);
    const whole = await run(['--from', '0', '--dir', folder]);
    assert.deepEqual([code, stdout], [0, whole.stdout]);
    assert.ok(methods.includes('eth_getTransactionReceipt'));
  });

  it('prints only those that were sent to an address, or would have created it', async () => {
    const some = await run([
      '--from',
      '-6',
      '--to',
      'latest-1',
      '--address',
      kinds.contract.toUpperCase().replace('0X', '0x'),
    ]);
    assert.deepEqual(
      some.rows.map(({ hash }) => hash),
      failed(),
    );
    const other = await run(['--from', '0', '--address', kinds.sender]);
    assert.deepEqual([other.code, other.rows, other.last.verdict.sentTo], [0, [], kinds.sender]);
  });

  it('does not call a range complete that the chain has not reached', async () => {
    for (const [args, reason] of [
      [
        ['--from', '3', '--to', '9'],
        'The range ends after the latest block, 7, so later transactions are not included.',
      ],
      [
        ['--from', '2023-11-14', '--to', '2123-01-01'],
        'The range ends after the latest block, 7, so later transactions are not included.',
      ],
      [['--from', '8'], 'The range starts after the latest block, 7. Try again later.'],
    ] as const) {
      const { code, last, stderr } = await run(args);
      assert.deepEqual([code, last.verdict.state, last.verdict.reasons], [3, 'unreached', [reason]]);
      const isOutside = args[1] === '8';
      assert.equal(stderr.includes('range not reached yet: it starts at block 8, the head is 7'), isOutside);
      assert.equal(stderr.includes(' to 7, head 7: unreached'), !isOutside);
    }
  });

  it('refuses a range that is none, and options that need it', async () => {
    for (const [args, field] of [
      [[], 'failed'],
      [['--from', '5', '--to', '4'], 'fromBlock'],
      [['--from', '5', '--address', '0x12'], 'address'],
      [['--from', '5', kinds.paid], 'argument'],
    ] as const) {
      const { code, last } = await run(args);
      assert.deepEqual([code, last.error.field], [2, field]);
    }
    const { stdout } = await runCli(['transaction', kinds.paid, '--from', '5', '--rpc', anvil.url]);
    assert.equal(JSON.parse(stdout).error.message, '--from needs --failed. Add it, or remove --from.');
  });

  describe('of a long chain', () => {
    const hashOf = (number: number) => `0x${number.toString(16).padStart(64, '0')}`;
    const quantity = (value: number) => `0x${value.toString(16)}`;
    /** Each block has as many transactions as `countOf` says, which all failed. */
    function createChain(
      countOf: (block: number) => number,
      answer: (request: RpcRequest) => unknown = () => undefined,
    ) {
      const hashesOf = (block: number) =>
        Array.from({ length: countOf(block) }, (_, index) => hashOf(block * 10_000 + index + 1));
      const blockOf = (hash: unknown) => Math.floor(Number(hash) / 10_000);
      const receiptOf = (transactionHash: unknown, block: number) => ({
        ...{
          transactionHash,
          blockNumber: quantity(block),
          blockHash: hashOf(block),
          transactionIndex: quantity((Number(transactionHash) % 10_000) - 1),
          status: '0x0',
          logs: [],
        },
      });
      const respond = (request: RpcRequest): unknown => {
        const {
          method,
          params: [first],
        } = request;
        const own = answer(request);
        if (own !== undefined) return own;
        if (method === 'eth_chainId') return '0x1';
        if (method === 'eth_blockNumber') return quantity(20_000);
        if (method === 'eth_getBlockByNumber') {
          const block = Number(first);
          const header = {
            number: first,
            hash: hashOf(block),
            parentHash: hashOf(block - 1),
            timestamp: first,
          };
          return { ...header, gasUsed: quantity(countOf(block)), transactions: hashesOf(block) };
        }
        if (method === 'eth_getBlockReceipts')
          return hashesOf(Number(first)).map((hash) => receiptOf(hash, Number(first)));
        if (method === 'eth_getTransactionReceipt') return receiptOf(first, blockOf(first));
        if (method === 'eth_getTransactionByHash')
          return { hash: first, from: kinds.sender, to: null, value: '0x0', input: '0x' };
        return undefined;
      };
      return createRpcFetch(
        answerEach((request) => {
          const result = respond(request);
          const { id } = request;
          if (result === undefined) return { jsonrpc: '2.0', id, error: { code: -32601, message: 'no' } };
          return { jsonrpc: '2.0', id, result };
        }) as (request: RpcRequest) => unknown,
      );
    }

    it('is uncertain where receipts, a block or a transaction are missing', async () => {
      for (const [method, result, reason] of [
        [
          'eth_getBlockReceipts',
          [],
          /^The receipts that the endpoint returned for block 5 and 1 more are not those/,
        ],
        [
          'eth_getTransactionByHash',
          null,
          /^Transactions of block 5 and 1 more failed by their receipts, but/,
        ],
      ] as const) {
        const chain = createChain(
          () => 1,
          (request) => (request.method === method ? result : undefined),
        );
        const { code, last } = await run(['--from', '5', '--to', '6'], chain);
        const { state, reasons } = last.verdict;
        assert.deepEqual([code, state, reasons.length], [3, 'uncertain', 1]);
        assert.match(reasons[0], reason);
      }
    });

    it('prints the error beside the verdict where the endpoint fails later', async () => {
      const chain = createChain(() => 0);
      const broken: FetchLike = async (url, init) =>
        String(init.body).includes(quantity(200)) ? new Response('', { status: 403 }) : chain(url, init);
      const { code, last } = await run(['--from', '100'], broken);
      assert.deepEqual(
        [code, last.error.kind, last.verdict.state, last.verdict.readThrough],
        [3, 'forbidden', 'uncertain', '199'],
      );
      assert.match(last.verdict.reasons[0], /^Reading ended at block 200\. /);
    });
  });
});
