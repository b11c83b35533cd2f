import type { HexMeaning } from '../abi/hexMeaning.ts';
import type { Abortable } from '../base/concurrency.ts';
import type { TimeSlices } from '../base/timeSlices.ts';
import type { Address } from '../eth/hex.ts';
import type { ContractIndex } from '../project/index/contractIndex.ts';
import { findRevertLines, type RevertCause } from '../project/source/readSource.ts';

/**
 * What to look for in sources for a revert: the error that it is, or the text of a `require`; undefined where no line
 * of a source tells of it, as of a panic.
 *
 * @param revert as `explainTransaction` gives it.
 * @param words of the server, where only they are known.
 * @example findRevertCause([], 'execution reverted: Not the owner') // { message: 'Not the owner' }
 */
export function findRevertCause(
  revert: readonly HexMeaning[],
  words: string | undefined,
): RevertCause | undefined {
  const [meaning] = revert;
  if (!meaning || !('item' in meaning)) {
    const message = reasonIn(words ?? '');
    return message === '' ? undefined : { message };
  }
  const { signature, name } = meaning.item;
  if (signature === 'Panic(uint256)') return undefined;
  if (signature !== 'Error(string)') return { error: name };
  const message = 'values' in meaning ? meaning.values[0] : undefined;
  return typeof message === 'string' && message !== '' ? { message } : undefined;
}

/** `execution reverted: …` of most nodes, `reverted with reason string '…'` of Hardhat. */
function reasonIn(words: string): string {
  for (const begin of ["reverted with reason string '", 'reverted: ']) {
    const at = words.indexOf(begin);
    if (at >= 0)
      return words
        .slice(at + begin.length)
        .replace(/'$/, '')
        .trim();
  }
  return '';
}

/** A line of a source of the workspace that may be the one that reverted. */
export interface RevertPlace {
  /** As a path from the root of the workspace. */
  readonly file: string;
  /** From 1. */
  readonly line: number;
}

interface RevertSearch extends Abortable {
  readonly index: Pick<ContractIndex, 'contractOf' | 'contracts' | 'deploymentsAt'>;
  /** What was called. */
  readonly at: { readonly address: Address | undefined; readonly chainId: number };
  /** The text of a source; undefined where it cannot be read. */
  readonly read: (file: string) => Promise<string | undefined>;
  readonly slices: TimeSlices;
}

/** Sources that are read; those of the project before those of its libraries. */
const MAX_SOURCES = 1_000;
/** What a person looks through. */
const MAX_PLACES = 12;

/**
 * Lines of the workspace on which a revert may have come up: in the source of what is deployed where the transaction
 * went first, then in the project's own, then in libraries.
 *
 * @example await findRevertPlaces({ error: 'Unpaid' }, { index, at, read, slices }); // [{ file: 'src/Shop.sol', line: 41 }]
 */
export async function findRevertPlaces(
  cause: RevertCause,
  { index, at, read, slices, signal }: RevertSearch,
): Promise<readonly RevertPlace[]> {
  const called = at.address ? index.deploymentsAt(at.address, at.chainId).map(index.contractOf) : [];
  const known = index.contracts;
  const ordered = [...called, ...known.filter(({ isOwn }) => isOwn), ...known.filter(({ isOwn }) => !isOwn)];
  const files = new Set(ordered.flatMap((contract) => contract?.source ?? []));
  const places: RevertPlace[] = [];
  for (const file of [...files].slice(0, MAX_SOURCES)) {
    const text = await read(file);
    if (text !== undefined)
      places.push(...findRevertLines(file, text, cause).map((line) => ({ file, line })));
    if (places.length >= MAX_PLACES) break;
    if (slices.isOver()) await slices.rest({ signal });
  }
  return places.slice(0, MAX_PLACES);
}
