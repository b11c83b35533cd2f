import type { Hex } from 'ox';
import * as z from 'zod/mini';
import type { NodeRpc } from '../chain/nodeRpc.ts';
import { MemoryIndex, type NewTransaction } from './memoryIndex.ts';

/** Follows a node and keeps its chain in an index. */
export type ChainFollower = {
  readonly index: MemoryIndex;
  /** Resolves when every block that the node has by now is indexed. */
  catchUp(): Promise<void>;
  stop(): Promise<void>;
};

const pollMs = 250;
const blocksPerBatch = 50;

const hex = z.templateLiteral(['0x', z.string()]);
const blockSchema = z.object({
  number: hex,
  hash: hex,
  timestamp: hex,
  transactions: z.array(z.object({ hash: hex, from: hex, to: z.nullable(hex) })),
});
const logSchema = z.object({
  ...{ address: hex, topics: z.array(hex), data: hex },
  ...{ blockHash: hex, transactionHash: hex, logIndex: hex },
});
const receiptSchema = z.object({ contractAddress: z.nullish(hex) });

type Block = z.infer<typeof blockSchema>;
type Log = z.infer<typeof logSchema>;

export async function followChain(rpc: NodeRpc): Promise<ChainFollower> {
  const index = new MemoryIndex();
  const accounts = z.array(hex).parse(await rpc.call('eth_accounts', []));
  let running: Promise<void> | undefined;
  let timer: NodeJS.Timeout | undefined;
  let stopped = false;

  const catchUp = (): Promise<void> => {
    // One run after another: a run that began earlier may have missed the newest block.
    const next = (running ?? Promise.resolve()).then(() => readNewBlocks(rpc, index, accounts));
    running = next.catch(() => undefined);
    return next;
  };
  const poll = (): void => {
    if (stopped) return;
    timer = setTimeout(() => {
      catchUp()
        .catch(() => undefined)
        .then(poll);
    }, pollMs);
  };
  await catchUp();
  poll();
  return {
    index,
    catchUp,
    async stop() {
      stopped = true;
      clearTimeout(timer);
      await running;
    },
  };
}

async function readNewBlocks(rpc: NodeRpc, index: MemoryIndex, accounts: readonly Hex.Hex[]): Promise<void> {
  const head = Number(await rpc.call('eth_blockNumber', []));
  let next = await dropOrphans(rpc, index, head);
  while (next <= head) {
    const last = Math.min(head, next + blocksPerBatch - 1);
    const heights = Array.from({ length: last - next + 1 }, (_, i) => toHex(next + i));
    const blocks = z
      .array(blockSchema)
      .parse(await rpc.batch(heights.map((height) => ['eth_getBlockByNumber', [height, true]] as const)));
    await addBlocks(rpc, index, blocks, accounts);
    next = last + 1;
  }
}

/** Takes blocks that the node no longer has out of the main chain; answers with the height to read from. */
async function dropOrphans(rpc: NodeRpc, index: MemoryIndex, nodeHead: number): Promise<number> {
  for (;;) {
    const known = index.head();
    if (known === undefined) return 0;
    const ours = index.blocksAt(known).find((block) => block.consensus);
    if (!ours) return known;
    const theirs =
      known <= nodeHead
        ? z.nullable(blockSchema).parse(await rpc.call('eth_getBlockByNumber', [toHex(known), true]))
        : undefined;
    if (theirs?.hash === ours.hash) return known + 1;
    index.orphan(ours.hash);
  }
}

async function addBlocks(
  rpc: NodeRpc,
  index: MemoryIndex,
  blocks: readonly Block[],
  accounts: readonly Hex.Hex[],
): Promise<void> {
  const first = blocks[0];
  const last = blocks.at(-1);
  if (!first || !last) return;
  const logs = z
    .array(logSchema)
    .parse(await rpc.call('eth_getLogs', [{ fromBlock: first.number, toBlock: last.number }]));
  const logsOf = groupByTransaction(logs);
  const creations = await createdContracts(rpc, blocks);

  const touched = blocks.flatMap((block) => {
    const genesis = Number(block.number) === 0 ? accounts : [];
    const parties = block.transactions.flatMap(({ hash, from, to }) => [from, to ?? creations.get(hash)]);
    return [...new Set([...genesis, ...parties])].flatMap((address) =>
      address ? [{ address, height: block.number }] : [],
    );
  });
  const balances = z
    .array(hex)
    .parse(
      await rpc.batch(touched.map(({ address, height }) => ['eth_getBalance', [address, height]] as const)),
    );

  // Balances first, so that nobody sees a block whose balances are still to come.
  for (const [i, { address, height }] of touched.entries()) {
    index.recordBalance(lower(address), Number(height), BigInt(balances[i] ?? 0));
  }
  for (const block of blocks) {
    index.addBlock({
      number: Number(block.number),
      hash: block.hash,
      timestamp: Number(block.timestamp),
      transactions: block.transactions.map(({ hash }): NewTransaction => {
        const own = logsOf.get(hash) ?? [];
        return {
          hash,
          logs: own.map(({ logIndex, address, topics, data }) => ({
            logIndex: Number(logIndex),
            address: lower(address),
            topics: topics.map(lower),
            data: lower(data),
          })),
        };
      }),
    });
  }
}

function groupByTransaction(logs: readonly Log[]): Map<Hex.Hex, Log[]> {
  const groups = new Map<Hex.Hex, Log[]>();
  for (const log of logs) {
    const group = groups.get(log.transactionHash);
    if (group) group.push(log);
    else groups.set(log.transactionHash, [log]);
  }
  return groups;
}

async function createdContracts(rpc: NodeRpc, blocks: readonly Block[]): Promise<Map<Hex.Hex, Hex.Hex>> {
  const creating = blocks.flatMap((block) => block.transactions.filter(({ to }) => to === null));
  const receipts = z
    .array(receiptSchema)
    .parse(await rpc.batch(creating.map(({ hash }) => ['eth_getTransactionReceipt', [hash]] as const)));
  return new Map(
    creating.flatMap(({ hash }, i) => {
      const address = receipts[i]?.contractAddress;
      return address ? [[hash, address] as const] : [];
    }),
  );
}

function lower(value: Hex.Hex): Hex.Hex {
  return value.toLowerCase() as Hex.Hex;
}

function toHex(value: number): Hex.Hex {
  return `0x${value.toString(16)}`;
}
