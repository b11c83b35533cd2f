import { getChecksumState, type TimeSlices, toChecksumAddress } from '../../../core/index.ts';
import { findAddresses } from '../../../host/places/findAddresses.ts';
import { checkedLiterals } from './checkedLiterals.ts';

/** An address whose letter case is not that of its EIP-55 checksum. */
export interface ChecksumFault {
  /** Index of its first character. */
  readonly offset: number;
  readonly written: string;
  /** The same address with its checksum. */
  readonly right: string;
  /** Whether the compiler refuses it; else it only may be mistyped. */
  readonly isError: boolean;
}

interface CheckOptions {
  readonly isSolidity: boolean;
  readonly slices: TimeSlices;
  readonly signal?: AbortSignal | undefined;
}

/** A generated file can hold more; whoever mends some sees the next. */
const MOST_FAULTS = 500;
/** Checksums between two looks at the clock: each takes some 20 µs. */
const STRIDE = 32;

/**
 * Addresses of `text` with a wrong checksum, and in Solidity code also those without one, which its compiler refuses.
 * The first 500. Rejects when `signal` aborts.
 */
export async function findChecksumFaults(
  text: string,
  { isSolidity, slices, signal }: CheckOptions,
): Promise<readonly ChecksumFault[]> {
  const faults: ChecksumFault[] = [];
  let checked: ReadonlySet<number> | undefined;
  let untilLook = STRIDE;
  for (const { address, written, offset } of findAddresses(text)) {
    if (--untilLook <= 0) {
      untilLook = STRIDE;
      if (slices.isOver()) await slices.rest({ signal });
    }
    const state = getChecksumState(written);
    if (state === 'right' || (state === 'none' && !isSolidity)) continue;
    const right = toChecksumAddress(address);
    if (right === written) continue;
    if (isSolidity) checked ??= await checkedLiterals(text, slices, { signal });
    const isError = checked?.has(offset) === true;
    if (state === 'none' && !isError) continue;
    faults.push({ offset, written, right, isError });
    if (faults.length === MOST_FAULTS) break;
  }
  return faults;
}
