import { type ContractIndex, systemClock } from '../../core/index.ts';
import { indexFolder, prepareIndex } from '../line/knownFolder.ts';

/** Files are looked at again when an answer is asked for so long after the last time. */
const LOOK_AFTER_MS = 3000;

/**
 * What the projects below a folder know, as their files are now: for a process that lives while they change.
 *
 * @throws AppError `badInput` where there is no such folder.
 */
export function followFolder(
  folder: string,
  options: { readonly signal: AbortSignal },
): () => Promise<ContractIndex> {
  let opened: Promise<Awaited<ReturnType<typeof indexFolder>>> | undefined;
  let looking: Promise<ContractIndex> | undefined;
  let lookedAt = Number.NEGATIVE_INFINITY;

  async function look(): Promise<ContractIndex> {
    const isFirst = opened === undefined;
    opened ??= indexFolder(folder, options);
    const indexer = await opened.catch((error: unknown) => {
      opened = undefined;
      throw error;
    });
    if (!isFirst) await indexer.update('all', options);
    await prepareIndex(indexer.index, options);
    lookedAt = systemClock.elapsed();
    return indexer.index;
  }

  return async () => {
    if (opened && !looking && systemClock.elapsed() - lookedAt < LOOK_AFTER_MS) return (await opened).index;
    looking ??= look().finally(() => {
      looking = undefined;
    });
    return looking;
  };
}
