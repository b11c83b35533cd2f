import { type DialectName, dialects } from '../../localnet/explorer/dialects.ts';
import type { RowOrder } from '../../localnet/explorer/plannerOrder.ts';
import { startExplorer } from '../../localnet/explorer/server.ts';
import type { LogOrder } from '../../src/core/index.ts';
import type { LogDataSet } from './logDataSets.ts';
import { densestBlock, type QueryJson, type ReadingMode, readAll, readPages } from './logReading.ts';

/** How a query is read: in which way, and from which end. */
export type Reading = readonly [ReadingMode, LogOrder];

/**
 * How the nth query is read: once from each end, in the two ways by turns, so that over the queries every way is held
 * from every end.
 */
export function getReadings(nth: number): readonly Reading[] {
  const [first, second] = nth % 2 === 0 ? [readPages, readAll] : [readAll, readPages];
  return [
    [first, 'oldestFirst'],
    [second, 'newestFirst'],
  ];
}

/** How the nth of many like cases is read, where once must do: every way comes from every end by turns. */
export function getReadingByTurns(nth: number): Reading {
  const all = [...getReadings(0), ...getReadings(1)];
  return all[nth % all.length] ?? [readAll, 'oldestFirst'];
}

/** An explorer, and the order in which its database finds rows, if its address query names none. */
export interface ExplorerKind {
  readonly dialect: DialectName;
  readonly order: RowOrder | undefined;
}

const UNORDERED: readonly DialectName[] = ['v6.8', 'v6.10', 'v9.1', 'v10.2'];
const orders: readonly RowOrder[] = ['ascending', 'descending', 'scattered'];

export const explorerKinds: readonly ExplorerKind[] = (Object.keys(dialects) as DialectName[]).flatMap(
  (dialect) =>
    (UNORDERED.includes(dialect) ? orders : [undefined]).map((order): ExplorerKind => ({ dialect, order })),
);

type ExplorerOptions = Omit<Parameters<typeof startExplorer>[0], 'dialect' | 'plannerOrder'>;

export function startExplorerKind({ dialect, order }: ExplorerKind, options: ExplorerOptions) {
  return startExplorer({ ...options, dialect, ...(order && { plannerOrder: () => order }) });
}

/** Versions that show orphaned logs as true ones, which no client can tell apart by itself. */
export function passesOrphans(dialect: DialectName): boolean {
  return ['v5.1.4', 'v5.4', 'v6.3', 'v12'].includes(dialect);
}

/**
 * Up to v5.2.1 no client can reach beyond the first page of a block by topics alone. From v6.8 to v10.2 none can be
 * sure of a full page of a block by address alone; to v9.4 not even of a part of one.
 */
export function cannotReach(
  dialect: DialectName,
  { truth }: Pick<LogDataSet, 'truth'>,
  query: QueryJson,
): boolean {
  // What the server counts: the address and the leading topic.
  const [topic0 = null] = query.topics ?? [];
  const densest = densestBlock(truth, { ...query, topics: [topic0] });
  if (dialect === 'v5.1.4') return query.address === undefined && densest >= 1000;
  if (query.address === undefined || topic0 !== null) return false;
  if (dialect === 'v10.2') return densest >= 1000;
  return ['v6.8', 'v6.10', 'v9.1'].includes(dialect) && densest >= 250;
}
