import type { Hex } from 'ox';
import type { IndexedLog } from '../index/explorerIndex.ts';
import { type ContractReader, createContractReader } from './contractReader.ts';
import type { ChainSource } from './holdings.ts';
import { readMovement } from './movements.ts';

/** An NFT contract, as its logs and its own word tell of it. */
export type Collection = {
  readonly address: Hex.Hex;
  readonly standard: 'erc721' | 'erc1155';
  readonly name: string | undefined;
  readonly symbol: string | undefined;
  /** Every id that was ever moved, ascending, with the logs that moved it, oldest first. */
  readonly tokens: ReadonlyMap<bigint, readonly IndexedLog[]>;
  readonly reader: ContractReader;
};

/** The NFT contract at an address; undefined where no NFT has moved. */
export async function readCollection(source: ChainSource, address: Hex.Hex): Promise<Collection | undefined> {
  const head = source.index.head() ?? 0;
  const moves = new Map<bigint, IndexedLog[]>();
  let standard: Collection['standard'] | undefined;
  for (const log of source.index.logs({ from: 0, to: head }, address)) {
    const movement = readMovement(log);
    if (!movement || movement.standard === 'erc20' || !isOfMainChain(source, log)) continue;
    standard = movement.standard;
    for (const tokenId of new Set(movement.tokenIds)) {
      const logs = moves.get(tokenId) ?? [];
      moves.set(tokenId, [...logs, log]);
    }
  }
  if (!standard) return undefined;
  const reader = createContractReader(source.node, address, head);
  const tokens = new Map([...moves].sort(([a], [b]) => (a < b ? -1 : 1)));
  return { address, standard, name: await reader.name(), symbol: await reader.symbol(), tokens, reader };
}

/** Whether a log is of a block that still counts. */
export function isOfMainChain({ index }: Pick<ChainSource, 'index'>, log: IndexedLog): boolean {
  return index.transaction(log.transactionHash)?.block?.hash === log.blockHash;
}
