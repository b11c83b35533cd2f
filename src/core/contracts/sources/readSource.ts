import type { TimeSlices } from '../../base/timeSlices.ts';
import type { SourceReading } from './draft.ts';
import { createDraft } from './draft.ts';
import { LONGEST_SOURCE } from './limits.ts';
import { readSolidity } from './readSolidity.ts';
import { readVyper } from './readVyper.ts';
import type { SourceFacts } from './sourceFacts.ts';

/** Tokens between two looks at the clock. */
const STRIDE = 256;
/** Two seconds of work in slices of 8 ms: no source that somebody wrote takes a tenth of it. */
const MOST_SLICES = 250;

/**
 * What a Solidity (`.sol`) or Vyper (`.vy`, `.vyi`) source declares, names not resolved. Never throws, whatever the
 * text is: what cannot be read is passed over. Of one over 1,000,000 characters nothing is read. A megabyte takes
 * about 50 ms at once; {@link readSourceInSlices} lets others work meanwhile.
 *
 * @example readSource('A.sol', 'event Paid(uint amount);').items[0]?.name // 'Paid'
 */
export function readSource(path: string, text: string): SourceFacts {
  const reading = openSource(path, text);
  while (reading.next());
  return reading.facts();
}

/**
 * As {@link readSource}, in slices of time. Of a source that takes too long, what is read up to there.
 *
 * @throws the signal's reason when it aborts.
 * @example await readSourceInSlices({ path, text }, createTimeSlices(systemClock), { signal })
 */
export async function readSourceInSlices(
  { path, text }: { readonly path: string; readonly text: string },
  slices: TimeSlices,
  { signal }: { readonly signal?: AbortSignal | undefined } = {},
): Promise<SourceFacts> {
  const reading = openSource(path, text);
  for (let rests = 0; rests < MOST_SLICES; rests++) {
    do {
      for (let tokens = 0; tokens < STRIDE; tokens++) {
        if (!reading.next()) return reading.facts();
      }
    } while (!slices.isOver());
    await slices.rest({ signal });
  }
  return { ...reading.facts(), cut: true };
}

function openSource(path: string, text: string): SourceReading {
  const isVyper = /\.vyi?$/.test(path);
  if (text.length > LONGEST_SOURCE) {
    const facts = { ...createDraft(isVyper ? 'vyper' : 'solidity').facts(), cut: true };
    return { next: () => false, facts: () => facts };
  }
  return isVyper ? readVyper(path, text) : readSolidity(text);
}
