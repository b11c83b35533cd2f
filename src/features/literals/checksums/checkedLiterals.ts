import { type TimeSlices, tokenizeSolidity } from '../../../core/index.ts';

/** Tokens between two looks at the clock. */
const STRIDE = 1024;
const ADDRESS_LENGTH = 42;

/**
 * Where in a Solidity source the compiler takes hex of 20 bytes for an address and refuses it without a right
 * checksum: in code, not in comments, strings and inline assembly. In slices; rejects when `signal` aborts.
 */
export async function checkedLiterals(
  source: string,
  slices: TimeSlices,
  { signal }: { readonly signal?: AbortSignal | undefined } = {},
): Promise<ReadonlySet<number>> {
  const offsets = new Set<number>();
  let assembly: 'none' | 'begins' | number = 'none';
  let untilLook = STRIDE;
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
    untilLook = STRIDE;
    if (slices.isOver()) await slices.rest({ signal });
  }
  return offsets;
}
