import type { HexMeaning } from '../abi/hexMeaning.ts';
import type { Abortable } from '../base/concurrency.ts';
import type { TimeSlices } from '../base/timeSlices.ts';
import { pushAll } from '../base/values.ts';
import type { Address } from '../eth/hex.ts';
import type { ContractIndex } from '../project/index/contractIndex.ts';
import { findRevertLines, type RevertCause } from '../project/source/readSource.ts';

/**
 * What to search the sources for: the custom error, or the message of a `require`. Undefined if no source
 * line can match, as for a panic.
 *
 * @param revert as `explainTransaction` returns it.
 * @param message of the server, if there is no revert data.
 * @example findRevertCause([], 'execution reverted: Not the owner') // { message: 'Not the owner' }
 */
export function findRevertCause(
  revert: readonly HexMeaning[],
  serverMessage: string | undefined,
): RevertCause | undefined {
  const [meaning] = revert;
  if (!meaning || !('item' in meaning)) {
    const message = parseRevertMessage(serverMessage ?? '');
    return message === '' ? undefined : { message };
  }
  const { signature, name } = meaning.item;
  if (signature === 'Panic(uint256)') return undefined;
  if (signature !== 'Error(string)') return { error: name };
  const message = 'values' in meaning ? meaning.values[0] : undefined;
  return typeof message === 'string' && message !== '' ? { message } : undefined;
}

/**
 * Finds the source lines that may have reverted: first in the contract that the transaction called, then in
 * the project's own sources, then in libraries.
 *
 * @example await findRevertPlaces({ error: 'Unpaid' }, { index, at, read, slices }); // [{ file: 'src/Shop.sol', line: 41 }]
 */
export async function findRevertPlaces(
  cause: RevertCause,
  { index, at, read, slices, signal }: RevertSearch,
): Promise<readonly RevertPlace[]> {
  const { addresses, chainId } = at;
  const called = addresses.flatMap((address) => index.deploymentsAt(address, chainId).map(index.contractOf));
  const contracts = index.contracts;
  const ordered = [
    ...called,
    ...contracts.filter(({ isOwn }) => isOwn),
    ...contracts.filter(({ isOwn }) => !isOwn),
  ];
  const files = new Set(ordered.flatMap((contract) => contract?.source ?? []));
  const places: RevertPlace[] = [];
  for (const file of [...files].slice(0, MAX_SOURCES)) {
    const text = await read(file);
    const lines =
      text === undefined ? [] : await findRevertLines({ path: file, text }, cause, { slices, signal });
    pushAll(
      places,
      lines.map((line) => ({ file, line })),
    );
    if (places.length >= MAX_PLACES) break;
  }
  return places.slice(0, MAX_PLACES);
}

interface RevertSearch extends Abortable {
  readonly index: Pick<ContractIndex, 'contractOf' | 'contracts' | 'deploymentsAt'>;
  /** The code that the transaction called, then its target. */
  readonly at: { readonly addresses: readonly Address[]; readonly chainId: number };
  /** Undefined if the file cannot be read. */
  readonly read: (file: string) => Promise<string | undefined>;
  readonly slices: TimeSlices;
}

/** Sources that are searched, the project's own first. */
const MAX_SOURCES = 1_000;
const MAX_PLACES = 12;
/** `execution reverted: …` of most nodes, `reverted with reason string '…'` of Hardhat. */
function parseRevertMessage(message: string): string {
  for (const prefix of ["reverted with reason string '", 'reverted: ']) {
    const at = message.indexOf(prefix);
    if (at >= 0)
      return message
        .slice(at + prefix.length)
        .replace(/'$/, '')
        .trim();
  }
  return '';
}

export interface RevertPlace {
  /** Relative to the workspace root. */
  readonly file: string;
  /** From 1. */
  readonly line: number;
}
