import { getChecksumState, type TimeSlices, toChecksumAddress, tokenizeSolidity } from '../../core/index.ts';
import { findAddresses } from '../../host/places/hexInText.ts';

/** An address whose letter case differs from its EIP-55 checksum. */
export interface ChecksumError {
  readonly offset: number;
  readonly written: string;
  readonly expected: string;
  /** Whether the compiler rejects it; otherwise it may only be a typo. */
  readonly isError: boolean;
}

interface CheckOptions {
  readonly isSolidity: boolean;
  readonly slices: TimeSlices;
  readonly signal?: AbortSignal | undefined;
}

/** A generated file can contain more; the next ones appear once some are fixed. */
const MAX_ERRORS = 500;

/** Checksums between two checks of the time slice: each takes some 20 µs. */
const ADDRESSES_PER_STEP = 32;

/**
 * Addresses of `text` with a wrong checksum; in Solidity code also those without one, which the compiler rejects. The
 * first 500. Rejects when `signal` aborts.
 */
export async function findChecksumErrors(
  text: string,
  { isSolidity, slices, signal }: CheckOptions,
): Promise<readonly ChecksumError[]> {
  const errors: ChecksumError[] = [];
  let checked: ReadonlySet<number> | undefined;
  let untilCheck = ADDRESSES_PER_STEP;
  for (const { address, written, offset } of findAddresses(text)) {
    if (--untilCheck <= 0) {
      untilCheck = ADDRESSES_PER_STEP;
      if (slices.isOver()) await slices.rest({ signal });
    }
    const state = getChecksumState(written);
    if (state === 'right' || (state === 'none' && !isSolidity)) continue;
    const right = toChecksumAddress(address);
    if (right === written) continue;
    if (isSolidity) checked ??= await findCheckedLiterals(text, slices, { signal });
    const isError = checked?.has(offset) === true;
    if (state === 'none' && !isError) continue;
    errors.push({ offset, written, expected: right, isError });
    if (errors.length === MAX_ERRORS) break;
  }
  return errors;
}

/** Tokens between two checks of the time slice. */
const TOKENS_PER_STEP = 1024;

const ADDRESS_LENGTH = 42;

/**
 * Offsets at which the Solidity compiler treats 20 bytes of hex as an address and requires a right checksum: in code,
 * not in comments, strings and inline assembly. Works in slices; rejects when `signal` aborts.
 */
async function findCheckedLiterals(
  source: string,
  slices: TimeSlices,
  { signal }: { readonly signal?: AbortSignal | undefined } = {},
): Promise<ReadonlySet<number>> {
  const offsets = new Set<number>();
  let assembly: 'none' | 'begins' | number = 'none';
  let untilCheck = TOKENS_PER_STEP;
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
    if (--untilCheck > 0) continue;
    untilCheck = TOKENS_PER_STEP;
    if (slices.isOver()) await slices.rest({ signal });
  }
  return offsets;
}
