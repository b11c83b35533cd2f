import { type AbiError, parseAbiItem } from '../../../core/index.ts';
import { declaredItems, type SourceReader } from '../../../host/sources/declarations.ts';

/** An error that a source declares, and where. */
export interface DeclaredError extends AbiError {
  /** Index of its declaration in the source. */
  readonly offset: number;
}

/** The errors that a source declares, in their order; none with a type that is not found. In slices, as events are. */
export async function findErrors(path: string, reader: SourceReader): Promise<readonly DeclaredError[]> {
  const { slices, signal } = reader;
  const errors: DeclaredError[] = [];
  for (const { item, text } of await declaredItems(path, 'error', reader)) {
    const error = text === undefined ? undefined : parseAbiItem(text);
    if (error?.kind === 'error') errors.push({ ...error, offset: item.offset });
    if (slices.isOver()) await slices.rest({ signal });
  }
  return errors;
}
