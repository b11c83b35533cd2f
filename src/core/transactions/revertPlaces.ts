import type { Abortable } from '../base/abortable.ts';
import type { TimeSlices } from '../base/timeSlices.ts';
import type { ContractIndex } from '../contracts/index/contractIndex.ts';
import { revertLines, type SourceCause } from '../contracts/sources/revertLines.ts';
import type { Address } from '../values/address.ts';

/** A line of a source of the workspace that may be the one that reverted. */
export interface RevertPlace {
  /** As a path from the root of the workspace. */
  readonly file: string;
  /** From 1. */
  readonly line: number;
}

interface LookedIn extends Abortable {
  readonly index: Pick<ContractIndex, 'contractOf' | 'contracts' | 'deploymentsAt'>;
  /** What was called. */
  readonly at: { readonly address: Address | undefined; readonly chainId: number };
  /** The text of a source; undefined where it cannot be read. */
  readonly read: (file: string) => Promise<string | undefined>;
  readonly slices: TimeSlices;
}

/** Sources that are read; those of the project before those of its libraries. */
const MOST_SOURCES = 1_000;
/** What a person looks through. */
const MOST_PLACES = 12;

/**
 * Lines of the workspace on which a revert may have come up: in the source of what is deployed where the transaction
 * went first, then in the project's own, then in libraries.
 *
 * @example await findRevertPlaces({ error: 'Unpaid' }, { index, at, read, slices }); // [{ file: 'src/Shop.sol', line: 41 }]
 */
export async function findRevertPlaces(
  cause: SourceCause,
  { index, at, read, slices, signal }: LookedIn,
): Promise<readonly RevertPlace[]> {
  const called = at.address ? index.deploymentsAt(at.address, at.chainId).map(index.contractOf) : [];
  const known = index.contracts;
  const ordered = [...called, ...known.filter(({ isOwn }) => isOwn), ...known.filter(({ isOwn }) => !isOwn)];
  const files = new Set(ordered.flatMap((contract) => contract?.source ?? []));
  const places: RevertPlace[] = [];
  for (const file of [...files].slice(0, MOST_SOURCES)) {
    const text = await read(file);
    if (text !== undefined) places.push(...revertLines(file, text, cause).map((line) => ({ file, line })));
    if (places.length >= MOST_PLACES) break;
    if (slices.isOver()) await slices.rest({ signal });
  }
  return places.slice(0, MOST_PLACES);
}
