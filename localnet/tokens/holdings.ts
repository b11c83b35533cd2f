import type { Hex } from 'ox';
import * as z from 'zod/mini';
import type { NodeRpc } from '../chain/nodeRpc.ts';
import type { ExplorerIndex } from '../index/explorerIndex.ts';
import { type ContractReader, createContractReader } from './contractReader.ts';
import { type Movement, readMovement, type Standard } from './movements.ts';

/** Where those look who tell what an address holds: the logs say what to ask for, the node says what is held. */
export type ChainSource = { readonly index: ExplorerIndex; readonly node: NodeRpc };

/** What an address holds at the newest indexed block. */
export type Holdings = {
  readonly blockNumber: number;
  readonly blockTime: Date;
  readonly wei: bigint;
  /** Every ERC-20 that ever came or went and still answers, balances of zero included. */
  readonly tokens: readonly (HeldContract & { readonly decimals: number; readonly balance: bigint })[];
  readonly collections: readonly (HeldContract & { readonly nfts: readonly HeldNft[] })[];
};

export type HeldContract = {
  readonly address: Hex.Hex;
  readonly standard: Standard;
  readonly name: string | undefined;
  readonly symbol: string | undefined;
  readonly lastTransfer: Date;
};

export type HeldNft = { readonly tokenId: bigint; readonly amount: bigint; readonly uri: string | undefined };

type Trace = {
  readonly address: Hex.Hex;
  readonly standard: Standard;
  readonly tokenIds: Set<bigint>;
  lastBlock: number;
};

export async function readHoldings({ index, node }: ChainSource, owner: Hex.Hex): Promise<Holdings> {
  const blockNumber = index.head() ?? 0;
  const traces = findTraces(index, blockNumber, owner);
  const times = await readBlockTimes(node, [blockNumber, ...traces.map(({ lastBlock }) => lastBlock)]);
  const wei = BigInt(z.string().parse(await node.call('eth_getBalance', [owner, quantity(blockNumber)])));

  const tokens: Holdings['tokens'][number][] = [];
  const collections: Holdings['collections'][number][] = [];
  for (const trace of traces) {
    const reader = createContractReader(node, trace.address, blockNumber);
    const contract: HeldContract = {
      address: trace.address,
      standard: trace.standard,
      name: await reader.name(),
      symbol: await reader.symbol(),
      lastTransfer: timeOf(times, trace.lastBlock),
    };
    if (trace.standard === 'erc20') {
      const balance = await reader.balanceOf(owner);
      if (balance !== undefined)
        tokens.push({ ...contract, decimals: (await reader.decimals()) ?? 0, balance });
    } else {
      const nfts = await readNfts(reader, trace, owner);
      if (nfts.length > 0) collections.push({ ...contract, nfts });
    }
  }
  return { blockNumber, blockTime: timeOf(times, blockNumber), wei, tokens, collections };
}

/** The contracts with which the address had to do, oldest acquaintance first. */
function findTraces(index: ExplorerIndex, head: number, owner: Hex.Hex): readonly Trace[] {
  const traces = new Map<Hex.Hex, Trace>();
  for (const log of index.logs({ from: 0, to: head })) {
    const movement = readMovement(log);
    if (movement && (movement.from === owner || movement.to === owner)) follow(traces, movement);
  }
  return [...traces.values()];
}

function follow(traces: Map<Hex.Hex, Trace>, { contract, standard, tokenIds, blockNumber }: Movement): void {
  const known = traces.get(contract);
  const trace = known ?? { address: contract, standard, tokenIds: new Set<bigint>(), lastBlock: blockNumber };
  if (!known) traces.set(contract, trace);
  trace.lastBlock = blockNumber;
  for (const tokenId of tokenIds) trace.tokenIds.add(tokenId);
}

async function readNfts(reader: ContractReader, trace: Trace, owner: Hex.Hex): Promise<readonly HeldNft[]> {
  const single = trace.standard === 'erc721';
  const tokenIds = [...trace.tokenIds].sort((a, b) => (a < b ? -1 : 1));
  const nfts = await Promise.all(
    tokenIds.map(async (tokenId) => {
      const amount = single
        ? await amountOfSingle(reader, owner, tokenId)
        : await reader.balanceOfId(owner, tokenId);
      if (!amount) return [];
      return [{ tokenId, amount, uri: await (single ? reader.tokenUri(tokenId) : reader.uri(tokenId)) }];
    }),
  );
  return nfts.flat();
}

async function amountOfSingle(reader: ContractReader, owner: Hex.Hex, tokenId: bigint): Promise<bigint> {
  const holder = await reader.ownerOf(tokenId);
  return holder?.toLowerCase() === owner ? 1n : 0n;
}

async function readBlockTimes(node: NodeRpc, numbers: readonly number[]): Promise<ReadonlyMap<number, Date>> {
  const distinct = [...new Set(numbers)];
  const blocks = z
    .array(z.object({ timestamp: z.string() }))
    .parse(
      await node.batch(
        distinct.map((number) => ['eth_getBlockByNumber', [quantity(number), false]] as const),
      ),
    );
  return new Map(distinct.map((number, i) => [number, new Date(Number(blocks[i]?.timestamp) * 1000)]));
}

function timeOf(times: ReadonlyMap<number, Date>, block: number): Date {
  const time = times.get(block);
  if (!time) throw new Error(`the time of block ${block} was not read`);
  return time;
}

function quantity(value: number): Hex.Hex {
  return `0x${value.toString(16)}`;
}
