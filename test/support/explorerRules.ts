import type { DialectName } from '../../localnet/explorer/dialects.ts';
import type { RowOrder } from '../../localnet/explorer/plannerOrder.ts';
import type { LogDataSet } from './logDataSets.ts';
import { densestBlock, type QueryJson } from './logReading.ts';

/** Orders in which a database may find rows, for versions whose address query names none. */
export function ordersOf(dialect: DialectName): readonly (RowOrder | undefined)[] {
  const unordered = ['v6.8', 'v6.10', 'v9.1', 'v10.2'].includes(dialect);
  return unordered ? ['ascending', 'descending', 'scattered'] : [undefined];
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
