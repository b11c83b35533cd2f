import assert from 'node:assert/strict';
import { type Anvil, startAnvil } from '../../../../localnet/chain/anvil.ts';
import { createNodeRpc, NodeRpcError } from '../../../../localnet/chain/nodeRpc.ts';
import { sendTransactionKinds, type TransactionKinds } from '../../../../localnet/chain/transactionKinds.ts';
import type { DialectName } from '../../../../localnet/explorer/dialects.ts';
import { type ExplorerServer, startExplorer } from '../../../../localnet/explorer/server.ts';
import { MemoryIndex } from '../../../../localnet/index/memoryIndex.ts';
import {
  createAbiLookup,
  createTimeSlices,
  explainTransaction,
  type Hex,
  systemClock,
  type TransactionProvider,
  transactionToJson,
} from '../../../../src/core/index.ts';
import { byTurns } from '../../../support/fullRun.ts';
import {
  openTransactionProvider,
  requireTransaction,
  requireTransactionProvider,
} from '../../../support/transactions.ts';

const origin = { trust: 'workspace', from: 'Failures.sol', contract: 'Failures', line: 1 } as const;
const lookup = createAbiLookup(
  [
    ...['error Unpaid(address by, uint256 missing)', 'event Paid(address indexed by, uint256 amount)'],
    ...['function pay(uint256 price)', 'function open(bool really)'],
  ].map((text) => ({ text, origin })),
);

describe('transactions of every kind', () => {
  let anvil: Anvil;
  let kinds: TransactionKinds;
  let node: ReturnType<typeof createNodeRpc>;
  const explorers = new Map<DialectName, ExplorerServer>();

  before(async () => {
    anvil = await startAnvil({ port: 0, genesisTime: 1_700_000_000 });
    node = createNodeRpc(anvil.url);
    kinds = await sendTransactionKinds(node);
  });
  after(async () => {
    for (const explorer of explorers.values()) await explorer.stop();
    await anvil.stop();
  });

  async function explorerOf(dialect: DialectName): Promise<ExplorerServer> {
    const known = explorers.get(dialect);
    if (known) return known;
    const explorer = await startExplorer({
      ...{ index: new MemoryIndex(), dialect },
      async forward(method, params) {
        try {
          return { result: await node.call(method, params) };
        } catch (error) {
          return error instanceof NodeRpcError ? { error: error.error } : { failed: 'econnrefused' };
        }
      },
    });
    explorers.set(dialect, explorer);
    return explorer;
  }

  async function explained(source: TransactionProvider, hash: Hex) {
    const transaction = await requireTransaction(source, hash);
    const slices = createTimeSlices(systemClock);
    return transactionToJson(await explainTransaction(transaction, { lookup, chainId: 31337, slices }));
  }

  const urlOf = async (dialect: DialectName | undefined) =>
    dialect ? (await explorerOf(dialect)).rpcUrl : anvil.url;

  for (const [name, dialect] of byTurns(
    [
      ['calls', undefined],
      ...(['v6.3', 'v11.2', 'v12'] as const).map((release) => ['calls', release] as const),
      ...(['v5.1.4', 'v9.1', 'v11.2', 'v12'] as const).map((release) => ['blockscout', release] as const),
    ] as const,
    2,
    0,
  )) {
    describe(`by ${name === 'calls' ? 'methods' : 'REST'} of ${dialect ? `explorer ${dialect}` : 'a node'}`, () => {
      let source: TransactionProvider;
      before(async () => {
        source = await requireTransactionProvider(name, await urlOf(dialect));
      });

      it('has what was paid, called and logged', async () => {
        const { time, ...paid } = await explained(source, kinds.paid);
        assert.deepEqual(
          [paid.status, paid.from, paid.to, paid.value, paid.failure],
          ['success', kinds.sender, kinds.contract, '10000000000000000', null],
        );
        const block = `0x${Number(paid.block).toString(16)}`;
        const header = await node.call('eth_getBlockByNumber', [block, false]);
        const { timestamp } = header as { readonly timestamp: string };
        assert.equal(Date.parse(time ?? ''), Number(timestamp) * 1000);
        assert.equal(paid.fee?.total, (BigInt(paid.gasUsed ?? 0) * 2_000_000_000n).toString());
        assert.deepEqual(paid.call?.args, [{ name: 'price', type: 'uint256', value: '10000000000000000' }]);
        const decoded = paid.logs?.[0]?.decoded;
        assert.equal(decoded && 'event' in decoded && decoded.event, 'Paid(address,uint256)');
        assert.deepEqual(
          paid.movements.map(({ address, net }) => [address, net]),
          [
            [kinds.sender, '-10000000000000000'],
            [kinds.contract, '10000000000000000'],
          ],
        );
      });

      it('has why a failed one failed', async () => {
        const custom = await explained(source, kinds.customError);
        assert.equal(custom.status, 'failed');
        assert.deepEqual(custom.movements, []);
        assert.deepEqual(custom.failure?.meaning?.args, [
          { name: 'by', type: 'address', value: kinds.sender },
          { name: 'missing', type: 'uint256', value: '9999999999999999' },
        ]);
        const text = await explained(source, kinds.requireText);
        assert.equal(text.failure?.meaning?.args?.[0]?.value, 'Not open on Sundays');
        assert.equal(text.failure?.isCut, undefined);
        const panic = await explained(source, kinds.panic);
        assert.equal(panic.failure?.meaning?.note, 'an integer overflowed or underflowed');
        const gas = await explained(source, kinds.outOfGas);
        assert.match(gas.failure?.words ?? '', /out ?of ?gas/i);
        assert.equal(gas.gasUsed, gas.gasLimit);
        const empty = await explained(source, kinds.emptyRevert);
        assert.deepEqual([empty.failure?.data, empty.failure?.meaning], ['0x', null]);
      });

      it('has the contract that was created', async () => {
        const { to, created, call } = await explained(source, kinds.creation);
        assert.deepEqual([to, created, call], [null, [kinds.contract], null]);
      });

      it('knows that a pending one has no block, no fee and no logs', async () => {
        const { status, block, time, fee, logs } = await explained(source, kinds.pending);
        assert.deepEqual([status, block, time, fee, logs], ['pending', null, null, null, []]);
      });

      it('tells a block by its hash, and what nobody knows', async () => {
        const { hash } = (await node.call('eth_getBlockByNumber', ['0x1', false])) as { hash: Hex };
        const block = await source.lookUpHash(hash);
        assert.equal(block.kind === 'block' && block.block, 1n);
        const unknown = await source.lookUpHash(`0x${'12'.repeat(32)}`);
        assert.deepEqual([unknown.kind, unknown.methods.length], ['unknown', 2]);
      });
    });
  }

  it('counts the authorisations of EIP-7702, where the source has them', async () => {
    for (const [name, dialect, authorizations] of [
      ['calls', undefined, 1],
      ['blockscout', 'v11.2', 1],
      ['blockscout', 'v5.1.4', undefined],
    ] as const) {
      const source = await requireTransactionProvider(name, await urlOf(dialect));
      const transaction = await requireTransaction(source, kinds.setCode);
      assert.deepEqual([transaction.type, transaction.authorizations], [4, authorizations]);
    }
  });

  it('leaves it to the explorer where the endpoint has not the methods', async () => {
    assert.equal(await openTransactionProvider('calls', (await explorerOf('v5.1.4')).rpcUrl), undefined);
  });
});
