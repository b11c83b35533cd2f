import type { Hex } from 'ox';
import type { IndexedLog } from '../index/explorerIndex.ts';
import type { PortalBlock, PortalChain } from './portalChain.ts';
import type { LogItem, PortalQuery } from './portalQuery.ts';

/** Where the server ends an answer before its last block. */
export type PortalLimits = {
  /** Blocks that one answer covers. */
  readonly blocks?: number;
  /** Bytes after which no further line begins. */
  readonly bytes?: number;
  /** Blocks of one piece of its store: the first and last block of each stand in the answer, with logs or without. */
  readonly chunk?: number;
};

type Fields = NonNullable<PortalQuery['fields']>;

/**
 * The lines of an answer: each block that has rows, each that a piece of the store begins or ends with, and the first
 * and last of those that it covers.
 */
export async function coverLines(
  chain: PortalChain,
  { fromBlock, toBlock, logs: items = [], fields = {}, includeAllBlocks = false }: PortalQuery,
  limits: PortalLimits,
  last: number,
): Promise<readonly string[]> {
  const { blocks = Number.POSITIVE_INFINITY, bytes = Number.POSITIVE_INFINITY } = limits;
  const end = Math.min(toBlock ?? last, last, fromBlock + blocks - 1);
  const lines: string[] = [];
  let size = 0;
  for (const [number, rows] of blocksToGive({ chain, items, limits, includeAllBlocks }, fromBlock, end)) {
    const line = await lineOf(chain, { block: chain.block(number), rows, fields });
    lines.push(line);
    size += line.length + 1;
    if (size >= bytes) break;
  }
  return lines;
}

type Given = {
  readonly chain: PortalChain;
  readonly items: readonly LogItem[];
  readonly limits: PortalLimits;
  readonly includeAllBlocks: boolean;
};

function* blocksToGive(
  { chain, items, limits, includeAllBlocks }: Given,
  from: number,
  end: number,
): Generator<readonly [number, readonly IndexedLog[]]> {
  const found = chain.logs(from, end, onlyAddress(items))[Symbol.iterator]();
  let next = matching(found, items);
  let number = from;
  while (number <= end) {
    const rows: IndexedLog[] = [];
    for (; next?.blockNumber === number; next = matching(found, items)) rows.push(next);
    yield [number, rows];
    const edge = includeAllBlocks ? number + 1 : nextEdge(number, limits.chunk);
    number = number === end ? end + 1 : Math.min(end, next?.blockNumber ?? end, edge);
  }
}

/** The next block that a piece of the store begins or ends with. */
function nextEdge(number: number, chunk = Number.POSITIVE_INFINITY): number {
  if (chunk === Number.POSITIVE_INFINITY) return chunk;
  const last = number - (number % chunk) + chunk - 1;
  return number < last ? last : number + 1;
}

function matching(found: Iterator<IndexedLog>, items: readonly LogItem[]): IndexedLog | undefined {
  for (let { done, value } = found.next(); !done; { done, value } = found.next()) {
    if (items.some((item) => isWanted(item, value))) return value;
  }
  return undefined;
}

function isWanted(item: LogItem, { address, topics }: IndexedLog): boolean {
  const { topic0, topic1, topic2, topic3 } = item;
  const isAny = (values: readonly string[] | null | undefined, value: string | undefined) =>
    values === undefined || values === null || (value !== undefined && values.includes(value));
  return (
    isAny(item.address, address) &&
    [topic0, topic1, topic2, topic3].every((values, place) => isAny(values, topics[place]))
  );
}

function onlyAddress(items: readonly LogItem[]): Hex.Hex | undefined {
  const [item, ...others] = items;
  const [address, ...more] = item?.address ?? [];
  return others.length === 0 && more.length === 0 ? (address as Hex.Hex | undefined) : undefined;
}

/**
 * A field that was not asked for is not there, but for the number and the index by which lines and rows are ordered.
 */
async function lineOf(
  chain: PortalChain,
  {
    block,
    rows,
    fields,
  }: { readonly block: PortalBlock; readonly rows: readonly IndexedLog[]; readonly fields: Fields },
): Promise<string> {
  const time = fields.block?.timestamp ? { timestamp: await chain.timestampOf(block.number) } : {};
  const header = { ...picked(block, fields.block), ...time, number: block.number };
  const logs = rows.map((log) => ({
    ...picked({ ...log, transactionIndex: chain.transactionIndex(log.transactionHash) }, fields.log),
    logIndex: log.logIndex,
  }));
  return JSON.stringify({ header, ...(logs.length > 0 && { logs }) });
}

function picked(from: Readonly<Record<string, unknown>>, names: Readonly<Record<string, unknown>> = {}) {
  return Object.fromEntries(Object.entries(from).filter(([name]) => names[name] === true));
}
