import { isHashed, listIntegers } from '../../../core/index.ts';
import type { UnitTarget } from '../../../manifest.ts';
import type { ColumnId } from '../protocol/grid.ts';
import { type DecodedRow, findArgument } from './cells.ts';

/**
 * The integer of a cell, else all of its log, with the contract of the workspace that declares them; undefined for a log
 * of another contract.
 */
export function createUnitTarget(read: DecodedRow, column: ColumnId): UnitTarget | undefined {
  if ('reason' in read.decoded) return undefined;
  const { event, origin } = read.decoded;
  const isOwn = origin.trust === 'deployment' || origin.trust === 'workspace';
  if (!isOwn || origin.contract === undefined) return undefined;
  const index = findArgument(read, column);
  const own = listFields(event.inputs, index);
  const fields = own.length > 0 ? own : listFields(event.inputs, undefined);
  return { contract: origin.contract, item: event.name, fields };

  /** @param only the index of one parameter. */
  function listFields(inputs: typeof event.inputs, only: number | undefined): readonly string[] {
    return inputs.flatMap((input, at) => {
      if (isHashed(input) || (only !== undefined && only !== at)) return [];
      return listIntegers([{ ...input, name: input.name || String(at) }]);
    });
  }
}
