import { getChecksumState, type TimeSlices, toChecksumAddress, tokenizeSolidity } from '../../core/index.ts';
import { findAddresses } from '../../host/places/hexInText.ts';

/** Tokens between two looks at the clock. */
const TOKENS_PER_STEP = 1024;
const ADDRESS_LENGTH = 42;

/**
 * Where in a Solidity source the compiler takes hex of 20 bytes for an address and refuses it without a right
 * checksum: in code, not in comments, strings and inline assembly. In slices; rejects when `signal` aborts.
 */
async function findCheckedLiterals(
  source: string,
  slices: TimeSlices,
  { signal }: { readonly signal?: AbortSignal | undefined } = {},
): Promise<ReadonlySet<number>> {
  const offsets = new Set<number>();
  let assembly: 'none' | 'begins' | number = 'none';
  let untilLook = TOKENS_PER_STEP;
  for (const { kind, text, offset } of tokenizeSolidity(source)) {
    if (assembly === 'none') {
      if (text === 'assembly') assembly = 'begins';
      else if (kind === 'word' && text.length === ADDRESS_LENGTH && text.startsWith('0x'))
        offsets.add(offset);
    } else if (assembly === 'begins') {
      if (text === '{') assembly = 1;
      else if (text === ';' || text === '}') assembly = 'none';
    } else if (text === '{') assembly++;
    else if (text === '}') assembly = assembly === 1 ? 'none' : assembly - 1;
    if (--untilLook > 0) continue;
    untilLook = TOKENS_PER_STEP;
    if (slices.isOver()) await slices.rest({ signal });
  }
  return offsets;
}

/** An address whose letter case is not that of its EIP-55 checksum. */
export interface ChecksumError {
  /** Index of its first character. */
  readonly offset: number;
  readonly written: string;
  /** The same address with its checksum. */
  readonly expected: string;
  /** Whether the compiler refuses it; else it only may be mistyped. */
  readonly isError: boolean;
}

interface CheckOptions {
  readonly isSolidity: boolean;
  readonly slices: TimeSlices;
  readonly signal?: AbortSignal | undefined;
}

/** A generated file can hold more; whoever mends some sees the next. */
const MAX_ERRORS = 500;
/** Checksums between two looks at the clock: each takes some 20 µs. */
const ADDRESSES_PER_STEP = 32;

/**
 * Addresses of `text` with a wrong checksum, and in Solidity code also those without one, which its compiler refuses.
 * The first 500. Rejects when `signal` aborts.
 */
export async function findChecksumErrors(
  text: string,
  { isSolidity, slices, signal }: CheckOptions,
): Promise<readonly ChecksumError[]> {
  const faults: ChecksumError[] = [];
  let checked: ReadonlySet<number> | undefined;
  let untilLook = ADDRESSES_PER_STEP;
  for (const { address, written, offset } of findAddresses(text)) {
    if (--untilLook <= 0) {
      untilLook = ADDRESSES_PER_STEP;
      if (slices.isOver()) await slices.rest({ signal });
    }
    const state = getChecksumState(written);
    if (state === 'right' || (state === 'none' && !isSolidity)) continue;
    const right = toChecksumAddress(address);
    if (right === written) continue;
    if (isSolidity) checked ??= await findCheckedLiterals(text, slices, { signal });
    const isError = checked?.has(offset) === true;
    if (state === 'none' && !isError) continue;
    faults.push({ offset, written, expected: right, isError });
    if (faults.length === MAX_ERRORS) break;
  }
  return faults;
}
