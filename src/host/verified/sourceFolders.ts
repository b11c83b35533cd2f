import {
  createSourceFilesReader,
  createTimeSlices,
  findUsedDeclarations,
  type SourceFilesReader,
  systemClock,
} from '../../core/index.ts';
import { abortSignalOf } from '../commands/progress.ts';
import { registerDefinitions } from '../surface/texts/definitions.ts';
import { openSourceTexts, type SourceFolder } from '../surface/texts/sourceTexts.ts';

const SCHEME = 'chainside-source';

/** Verified sources in tabs; their events and errors lead to where they are declared. */
export function openSourceFolders() {
  const texts = openSourceTexts(SCHEME);
  const readers = new WeakMap<SourceFolder, SourceFilesReader>();

  /** What the files declare, as they are shown. */
  function readerOf(folder: SourceFolder): SourceFilesReader {
    const reader =
      readers.get(folder) ?? createSourceFilesReader(folder.files, { slices: createTimeSlices(systemClock) });
    readers.set(folder, reader);
    return reader;
  }

  const definitions = registerDefinitions(SCHEME, async (document, position, token) => {
    const found = texts.find(document.uri);
    if (!found) return [];
    const { folder, path } = found;
    const signal = abortSignalOf(token);
    try {
      const places = await findUsedDeclarations(
        readerOf(folder),
        { path, offset: document.offsetAt(position) },
        { signal },
      );
      return places.map((place) => ({ uri: folder.uriOf(place.path), line: place.line - 1 }));
    } catch (error) {
      if (signal.aborted) return [];
      throw error;
    }
  });

  return {
    add: texts.add,
    readerOf,
    dispose() {
      definitions.dispose();
      texts.dispose();
    },
  };
}
