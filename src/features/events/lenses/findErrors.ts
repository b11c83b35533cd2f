import { type AbiError, parseAbiItem } from '../../../core/index.ts';
import { declaredItems, type SourceReader } from '../../../host/sources/declarations.ts';

/** An error that a source declares, and where. */
export interface DeclaredError {
  /** Index of its declaration in the source. */
  readonly offset: number;
  /** With its selector, which takes a while to compute; undefined where nobody could revert with it. */
  readonly read: () => AbiError | undefined;
}

/** The errors that a source declares, in their order; none with a type that is not found. */
export async function findErrors(path: string, reader: SourceReader): Promise<readonly DeclaredError[]> {
  const declared = await declaredItems(path, 'error', reader);
  return declared.flatMap(({ item: { offset }, text }) =>
    text === undefined ? [] : [{ offset, read: () => errorOf(text) }],
  );
}

function errorOf(text: string): AbiError | undefined {
  const item = parseAbiItem(text);
  return item?.kind === 'error' ? item : undefined;
}
