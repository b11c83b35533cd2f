import { eachLimited } from '../../../base/eachLimited.ts';
import type { SourceFacts } from '../sourceFacts.ts';
import { createSourceLinker, type SourceLinker } from './linkSource.ts';
import type { SourceFiles } from './sourceNames.ts';

/** Files that are looked for: each import has several places where its file may be. */
const MOST_READS = 2_000;
/** Imports of imports; what is further away is not found. */
const MOST_ROUNDS = 32;
const AT_ONCE = 8;

interface Loading {
  readonly resolve: SourceFiles['resolve'];
  /** Undefined where there is no such file. */
  readonly read: (path: string) => Promise<SourceFacts | undefined>;
  readonly signal?: AbortSignal | undefined;
}

/**
 * What `make` makes with a linker over files of which only those are read that a name leads to. It is called again as
 * long as it has asked for files that had not been read.
 *
 * @throws the signal's reason when it aborts, and what `read` and `make` throw.
 * @example await linkLoading((linker) => linker.textOf(item, { path, contract }), { read, resolve, signal })
 */
export async function linkLoading<T>(
  make: (linker: SourceLinker) => T | Promise<T>,
  { read, resolve, signal }: Loading,
): Promise<T> {
  const known = new Map<string, SourceFacts | undefined>();
  for (let round = 1; ; round++) {
    const asked = new Set<string>();
    const get = (path: string) => {
      if (!known.has(path)) asked.add(path);
      return known.get(path);
    };
    const made = await make(createSourceLinker({ get, resolve }));
    const wanted = [...asked].slice(0, MOST_READS - known.size);
    if (wanted.length === 0 || round === MOST_ROUNDS) return made;
    await eachLimited(wanted, async (path) => void known.set(path, await read(path)), { limit: AT_ONCE });
    signal?.throwIfAborted();
  }
}
