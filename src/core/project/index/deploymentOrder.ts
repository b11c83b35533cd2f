import { compareValues } from '../../base/values.ts';
import type { IndexedDeployment } from './joinContracts.ts';

export interface OrderedDeployment extends Pick<IndexedDeployment, 'block' | 'file'> {
  readonly confirmedBlock?: bigint | undefined;
  readonly time?: number | undefined;
}

/**
 * Compares deployments of a chain, the newest first. Blocks that the chain confirms decide, and come first: only some
 * tools write times. Blocks of files come last: a development chain begins at block 0 again.
 */
export function compareNewestFirst(a: OrderedDeployment, b: OrderedDeployment): number {
  return (
    compareValues(b.confirmedBlock ?? -1n, a.confirmedBlock ?? -1n) ||
    (b.time ?? 0) - (a.time ?? 0) ||
    compareValues(b.block ?? -1n, a.block ?? -1n)
  );
}

/** Whether another run of a tool deployed one, before the other. False if nothing says so. */
export function isOfOlderRun(one: OrderedDeployment, than: OrderedDeployment): boolean {
  if (one.time === than.time && (one.time !== undefined || one.file === than.file)) return false;
  if (one.confirmedBlock !== undefined && than.confirmedBlock !== undefined)
    return one.confirmedBlock < than.confirmedBlock;
  return one.time !== undefined && than.time !== undefined && one.time < than.time;
}
