import { stat } from 'node:fs/promises';
import {
  badInput,
  type ContractIndex,
  createProjectIndexer,
  createTimeSlices,
  systemClock,
} from '../../core/index.ts';
import { diskFiles } from '../machine/diskFiles.ts';
import { say } from './output.ts';

/** An index of the projects below a folder. @throws AppError `badInput` where there is no such folder. */
export async function indexFolder(folder: string | undefined, { signal }: { readonly signal: AbortSignal }) {
  if (folder === undefined) throw badInput('folder', 'Give the folder of the projects.');
  const found = await stat(folder).catch(() => undefined);
  if (!found?.isDirectory()) throw badInput('folder', `There is no folder ${folder}.`);
  const indexer = createProjectIndexer({ files: diskFiles(folder), roots: [''], clock: systemClock });
  await indexer.update('all', { signal });
  for (const { path, why } of indexer.skipped) say(`${path === '' ? folder : path}: ${why}`);
  return indexer;
}

/** What the projects below a folder know, ready to be asked. @throws as {@link indexFolder}. */
export async function knownByFolder(
  folder: string,
  options: { readonly signal: AbortSignal },
): Promise<ContractIndex> {
  const { index } = await indexFolder(folder, options);
  await prepareIndex(index, options);
  return index;
}

/** Makes an index ready to be asked. */
export async function prepareIndex(
  index: ContractIndex,
  options: { readonly signal: AbortSignal },
): Promise<void> {
  const slices = createTimeSlices(systemClock);
  while (!index.prepare(slices.isOver)) await slices.rest(options);
}
